import { parseArgs } from 'node:util'
import { backups } from './backups.ts'
import { damagedFiles } from './damaged-files.ts'
import { fullDisk } from './full-disk.ts'
import { fullOnSync } from './full-on-sync.ts'
import { kills } from './kills.ts'
import { killStates } from './kill-states.ts'
import { powerCuts } from './power-cuts.ts'
import { faults, type Counts, type Scenario } from './scenario.ts'
import { add } from './settle.ts'
import { syscallErrors } from './syscall-errors.ts'
import { unreadExports } from './unread-exports.ts'

// `main.ts [--minutes 20] [--rounds N] [--processes N] [NAME …]`: does damage in every way to an
// installation under load, and counts what of everything acknowledged is still there (docs/testing.md).
// SIGINT and SIGTERM end it after the round that runs, with the counts so far.

const scenarios: readonly Scenario[] = [
  kills,
  killStates,
  powerCuts,
  syscallErrors,
  fullDisk,
  fullOnSync,
  unreadExports,
  damagedFiles,
  backups,
]

const { values, positionals: asked } = parseArgs({
  options: {
    minutes: { type: 'string', default: '20' },
    rounds: { type: 'string' },
    processes: { type: 'string', default: '1' },
  },
  allowPositionals: true,
})
const unknown = asked.find((name) => scenarios.every((each) => each.name !== name))
if (unknown !== undefined) {
  console.error(
    `There is no ${unknown}; there are ${scenarios.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}
const chosen = scenarios.filter(({ name }) => asked.length === 0 || asked.includes(name))
const minutesEach = Number(values.minutes) / chosen.length
const roundsMax = values.rounds === undefined ? Infinity : Number(values.rounds)

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())

let isWhole = true
for (const scenario of chosen) {
  if (stopping.signal.aborted) break
  const counts = await run(scenario)
  for (const [what, count] of Object.entries(counts)) {
    console.log(`  ${count.toLocaleString('en').padStart(12)}  ${what}`)
  }
  if (faults.some((fault) => (counts[fault] ?? 0) > 0)) isWhole = false
}
console.log(isWhole ? '\nNothing was lost, nothing damaged in silence.' : '\nThere are losses.')
process.exitCode = isWhole ? 0 : 1

/** Does one round after the other until the scenario's share of the time is over. */
async function run({ name, lacks, open }: Scenario): Promise<Counts> {
  const lacking = lacks?.()
  if (lacking !== undefined) {
    console.log(`${name} is left out: ${lacking}`)
    return { 'left out': 1 }
  }
  console.log(`${name} …`)
  await using opened = new AsyncDisposableStack()
  const round = await open(opened, { processes: Number(values.processes) })
  const end = Date.now() + minutesEach * 60_000
  let counts: Counts = {}
  for (let rounds = 0; rounds < roundsMax && !stopping.signal.aborted; rounds += 1) {
    // With a number of rounds, the time is of no matter.
    if (roundsMax === Infinity && Date.now() >= end) break
    counts = add(counts, await round())
    if (rounds % 50 === 49) console.log(`  ${rounds + 1} rounds`)
  }
  return counts
}
