import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Measurement } from './measurement.ts'
import { startServerProcess } from './server-process.ts'
import { median } from './statistics.ts'

/** What `npm start` runs once everything is installed. */
const file = join(import.meta.dirname, '..', 'tools', 'serve.mjs')

const rounds = 7
/** How long a server is left alone before its memory is read. */
const idleMs = 5000

/** From the start of the process to ready, and what it holds when nothing happens. */
export const start: Measurement = {
  name: 'start',
  run: async () => {
    // Builds the web app, and keeps what is compiled for the next start.
    await (await startServerProcess({ file }))[Symbol.asyncDispose]()
    const firsts: number[] = []
    const agains: number[] = []
    const memories: number[] = []
    for (let round = 0; round < rounds; round += 1) {
      const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
      const first = await startServerProcess({ file, dataDir })
      firsts.push(first.readyMs)
      await first[Symbol.asyncDispose]()
      const again = await startServerProcess({ file, dataDir })
      agains.push(again.readyMs)
      if (round < 3) {
        await new Promise((resolve) => setTimeout(resolve, idleMs))
        memories.push(again.memory() / 1024 ** 2)
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
      { what: 'idle memory', value: median(memories), unit: 'MiB', goal: { atMost: 150 } },
    ]
  },
}
