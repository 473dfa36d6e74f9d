import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { lighthouseScores } from './lighthouse.ts'
import type { Figure } from './measurement.ts'
import { bundle } from './bundle.ts'
import { inserts } from './inserts.ts'
import { pages } from './pages.ts'
import { reads } from './reads.ts'
import { start } from './start.ts'
import { printTable } from './table.ts'
import { transfers } from './transfers.ts'
import { upload } from './upload.ts'
import { viewBuilding } from './view-building.ts'
import { viewCommits } from './view-commits.ts'
import { viewPages } from './view-pages.ts'

/** In the order in which they run; each also runs alone, by name. */
const measurements = [
  reads,
  pages,
  viewPages,
  viewBuilding,
  inserts,
  viewCommits,
  upload,
  transfers,
  start,
  bundle,
  lighthouseScores,
]

const names = measurements.map(({ name }) => name)
const asked = process.argv.slice(2)
const unknown = asked.find((name) => !names.includes(name))
if (unknown !== undefined) {
  console.error(`There is no measurement ${unknown}; there are ${names.join(', ')}.`)
  process.exit(2)
}

console.log(`Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model}`)
const results: Record<string, Figure[]> = {}
for (const { name, run } of measurements) {
  if (asked.length > 0 && !asked.includes(name)) continue
  console.log(`\n${name} …`)
  const opened = new AsyncDisposableStack()
  try {
    results[name] = await run(opened)
  } finally {
    await opened.disposeAsync()
  }
  printTable(results[name])
}
const folder = join(import.meta.dirname, '..', '.cache', 'bench')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, 'results.json'), `${JSON.stringify(results, null, 2)}\n`)
