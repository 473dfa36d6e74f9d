import { mkdirSync, mkdtempSync, openAsBlob, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@vitrine/client'
import type { ImportState } from '@vitrine/contract'
import type { Figure, Measurement } from './measurement.ts'
import { startSignedInServer } from './signed-in-server.ts'
import { names, rowCount, rowOf, writeRows } from './transfers.ts'

const datasetId = 'cities'
/** Rows of a file that corrects a few of the items. */
const fewRows = 10_000
const key = names.indexOf('number')

/** Imports whose rows are matched with items, beside the plain import of the same rows. */
export const importMatch: Measurement = {
  name: 'import-match',
  run: async (opened, engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-import-match-'))
    opened.defer(() => rmSync(folder, { recursive: true }))
    const kept = { dataDir: join(folder, 'data') }
    mkdirSync(kept.dataDir)
    const database = await engine.newDatabase()
    const all = join(folder, 'all.csv')
    const changed = join(folder, 'changed.csv')
    const few = join(folder, 'few.csv')
    writeRows(all, [names.join(',')], (row) => rowOf(row).join(','))
    writeRows(changed, [names.join(',')], (row) => rowOf(row).with(2, `${row} of them`).join(','))
    const fewLines = Array.from({ length: fewRows }, (_, at) => {
      const row = Math.floor((at * rowCount) / fewRows)
      return `${rowOf(row)[key]},of the register`
    })
    writeFileSync(few, `number,name\n${fewLines.join('\n')}\n`)

    const figures: Figure[] = []
    const measure = async (
      what: string,
      file: string,
      { match, expected }: { match?: string[]; expected: Partial<ImportState> },
    ): Promise<number> => {
      // On a server that has done nothing else: what was in memory before counts for nothing.
      await using signedIn = await startSignedInServer(database, kept)
      const client = createClient({ baseUrl: signedIn.server.url, token: () => signedIn.token })
      if (match === undefined) {
        const schema = names.map((name) => ({ name, type: 'string', length: 100 }))
        await client.repoCreate({ body: { name: datasetId, schema } })
      }
      signedIn.server.resetPeak()
      const began = performance.now()
      const body = await openAsBlob(file)
      const matching = match && { match, reason: 'the register' }
      let state = await client.importBegin({
        datasetId,
        format: 'csv',
        key: what,
        ...matching,
        body,
      })
      while (state.state === 'checking' || state.state === 'publishing') {
        state = await client.importGet({ datasetId, importKey: state.key, wait: 60 })
      }
      const seconds = (performance.now() - began) / 1000
      for (const [name, value] of Object.entries({ state: 'done', ...expected })) {
        const actual = state[name as keyof ImportState]
        if (actual !== value) throw new Error(`${what}: ${name} is ${JSON.stringify(actual)}`)
      }
      const peak = signedIn.server.peakMemory()
      figures.push({ what: `${what}: most memory`, value: peak, unit: 'bytes' })
      return seconds
    }
    const match = ['number']
    const plain = await measure('plain', all, { expected: { publishedRows: rowCount } })
    const limit = { what: 'plain import', value: plain }
    const against = (what: string, value: number, atMost: number) =>
      figures.push({ what: `${what} in ${rowCount}`, value, unit: 's', limit, goal: { atMost } })
    const unchangedRows = rowCount
    against('all the same', await measure('same', all, { match, expected: { unchangedRows } }), 2)
    const some = await measure('few', few, { match, expected: { changedRows: fewRows } })
    against(`${fewRows} others`, some, 0.5)
    const changedRows = rowCount
    against('all others', await measure('others', changed, { match, expected: { changedRows } }), 4)
    return figures
  },
}
