import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Measurement } from './measurement.ts'
import { startServerProcess } from './server-process.ts'
import { median } from './statistics.ts'

const rounds = 7
/** When its memory is read: at once, and after V8 has found it idle and given back what the start took. */
const idleMs = { soon: 5000, late: 30_000 }

/** From the start of the process to ready, and what it holds when nothing happens. */
export const start: Measurement = {
  name: 'start',
  engines: ['sqlite'],
  run: async () => {
    // Builds the web app, and keeps what is compiled for the next start.
    await (await startServerProcess())[Symbol.asyncDispose]()
    const firsts: number[] = []
    const agains: number[] = []
    const memories = { soon: [] as number[], late: [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
      const first = await startServerProcess({ dataDir })
      firsts.push(first.readyMs)
      await first[Symbol.asyncDispose]()
      const again = await startServerProcess({ dataDir })
      agains.push(again.readyMs)
      if (round < 3) {
        await sleep(idleMs.soon)
        memories.soon.push(again.memory() / 1e6)
        await sleep(idleMs.late - idleMs.soon)
        memories.late.push(again.memory() / 1e6)
      }
      await again[Symbol.asyncDispose]()
      rmSync(dataDir, { recursive: true })
    }
    return [
      {
        what: 'start to ready, new data folder',
        value: median(firsts) / 1000,
        unit: 's',
        goal: { atMost: 1.5 },
      },
      { what: 'start to ready', value: median(agains) / 1000, unit: 's', goal: { atMost: 1.5 } },
      { what: 'memory 5 s after the start', value: median(memories.soon), unit: 'MB' },
      {
        what: 'idle memory, 30 s after the start',
        value: median(memories.late),
        unit: 'MB',
        goal: { atMost: 150 },
      },
    ]
  },
}
