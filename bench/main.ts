import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { layoutShifts } from './layout-shifts.ts'
import { lighthouseScores } from './lighthouse.ts'
import type { Figure } from './measurement.ts'
import { bundle } from './bundle.ts'
import { currentPages } from './current-pages.ts'
import { fatRows } from './fat-rows.ts'
import { hostileParquet } from './hostile-parquet.ts'
import { importMatch } from './import-match.ts'
import { inserts } from './inserts.ts'
import { insertsProcesses } from './inserts-processes.ts'
import { memoryAfter } from './memory-after.ts'
import { pages } from './pages.ts'
import { startPostgresEngine } from './postgres-engine.ts'
import { reads } from './reads.ts'
import { readsBare } from './reads-bare.ts'
import { sqliteEngine } from './sqlite-engine.ts'
import { logCost } from './log-cost.ts'
import { manyDatasets } from './many-datasets.ts'
import { roleChecks } from './role-checks.ts'
import { schemaExtensions } from './schema-extensions.ts'
import { search } from './search.ts'
import { past } from './past.ts'
import { peers } from './peers/peers.ts'
import { smallPictures } from './small-pictures.ts'
import { start } from './start.ts'
import { statePages } from './state-pages.ts'
import { summaries } from './summaries.ts'
import { printTable } from './table.ts'
import { transferLatency } from './transfer-latency.ts'
import { transfers } from './transfers.ts'
import { unreadExports } from './unread-exports.ts'
import { upload } from './upload.ts'
import { viewBuilding } from './view-building.ts'
import { viewCommits } from './view-commits.ts'
import { viewPages } from './view-pages.ts'

/** In the order in which they run; each also runs alone, by name. */
const measurements = [
  reads,
  readsBare,
  roleChecks,
  manyDatasets,
  pages,
  viewPages,
  statePages,
  currentPages,
  past,
  viewBuilding,
  inserts,
  insertsProcesses,
  viewCommits,
  logCost,
  upload,
  transfers,
  importMatch,
  transferLatency,
  unreadExports,
  memoryAfter,
  fatRows,
  hostileParquet,
  schemaExtensions,
  summaries,
  search,
  peers,
  smallPictures,
  start,
  bundle,
  lighthouseScores,
  layoutShifts,
]

/** `--engine=` of the database; SQLite when left out. */
const engines = { sqlite: async () => sqliteEngine, postgres: startPostgresEngine }

const { values, positionals: asked } = parseArgs({
  options: { engine: { type: 'string', default: 'sqlite' } },
  allowPositionals: true,
})
const engineName = values.engine as keyof typeof engines
if (!Object.hasOwn(engines, engineName)) {
  refuse(`There is no engine ${engineName}; there are ${Object.keys(engines).join(', ')}.`)
}
const possible = measurements.filter((each) => each.engines?.includes(engineName) ?? true)
const names = possible.map(({ name }) => name)
const unknown = asked.find((name) => !names.includes(name))
if (unknown !== undefined) {
  refuse(`There is no measurement ${unknown} of ${engineName}; there are ${names.join(', ')}.`)
}

console.log(
  `Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model}, ${engineName}`,
)
await using running = new AsyncDisposableStack()
const engine = await engines[engineName](running)
const results: Record<string, Figure[]> = {}
for (const { name, run } of possible) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.log(`\n${name} …`)
  const opened = new AsyncDisposableStack()
  try {
    results[name] = await run(opened, engine)
  } finally {
    await opened.disposeAsync()
  }
  printTable(results[name])
}
const folder = join(import.meta.dirname, '..', '.cache', 'bench')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'results.json'), `${JSON.stringify(results, null, 2)}\n`)

function refuse(sentence: string): never {
  console.error(sentence)
  process.exit(2)
}
