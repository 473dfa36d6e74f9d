import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../tools/root.mjs'
import type { Engine } from '../engine.ts'
import type { Figure, Measurement } from '../measurement.ts'
import { compare, type Comparison, type Result, type Row } from './comparison.ts'
import { inserts } from './inserts.ts'
import { markdownOf } from './markdown.ts'
import { postgresInserts, postgresReads, postgresTransfers } from './postgres.ts'
import { reads } from './reads.ts'
import { start } from './start.ts'
import { transfers } from './transfers.ts'
import { views } from './views.ts'

type Group = (opened: AsyncDisposableStack, engine: Engine) => Promise<Comparison[]>

const groups: Record<Engine['name'], Record<string, Group>> = {
  sqlite: {
    inserts,
    reads: (opened) => reads(opened, 135_000),
    'reads-of-a-million': (opened) => reads(opened, 1_000_000),
    views,
    transfers,
    start,
  },
  postgres: {
    inserts: postgresInserts,
    'reads-of-a-million': postgresReads,
    transfers: postgresTransfers,
  },
}

/**
 * Vitrine beside other programs with the same data, in turns; `PEERS=inserts,views` for some of the groups. Keeps
 * the table of ratios in `.cache/bench/`, one for each engine.
 */
export const peers: Measurement = {
  name: 'peers',
  run: async (_opened, engine) => {
    const own = groups[engine.name]
    const names = process.env['PEERS']?.split(',') ?? Object.keys(own)
    const total: Result = { rows: [], repeats: 0, otherLoad: 0 }
    for (const name of names) {
      const group = own[name]
      if (group === undefined) throw new Error(`PEERS: there is no ${name}`)
      await using opened = new AsyncDisposableStack()
      for (const comparison of await group(opened, engine)) {
        const result = await compare(comparison)
        for (const row of result.rows)
          console.log(`  ${row.what}, ${row.peer}: ${row.ratio.toFixed(2)}`)
        total.rows.push(...result.rows)
        total.repeats += result.repeats
        total.otherLoad = Math.max(total.otherLoad, result.otherLoad)
      }
    }
    const markdown = markdownOf(total, engine)
    const folder = join(root, '.cache', 'bench')
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `peers-${engine.name}.md`), markdown)
    console.log(`\n${markdown}`)
    return total.rows.map(figureOf)
  },
}

function figureOf({ what, unit, peer, vitrine, beside, goal }: Row): Figure {
  const limit = { what: peer, value: beside }
  if (goal === undefined) return { what, value: vitrine, unit, limit }
  return {
    what,
    value: vitrine,
    unit,
    limit,
    goal: unit === '/s' ? { atLeast: goal } : { atMost: 1 / goal },
  }
}
