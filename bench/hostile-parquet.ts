import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ApiError, createClient } from '@vitrine/client'
import { hostilePages } from '../packages/server/test/hostile-pages.ts'
import {
  emptyStructs,
  footerOnly,
  manyChunks,
  sharedText,
  textLength,
} from '../packages/server/test/hostile-parquet.ts'
import type { Figure, Measurement } from './measurement.ts'
import { startSignedInServer } from './signed-in-server.ts'

/** Beside what the server has: what a thread may have as objects. */
const memoryMax = 512 * 1024 ** 2

const files: Record<string, () => BodyInit> = {
  '1,500 rows that share a text of a million characters': () =>
    sharedText(Array.from({ length: 1500 }, (_, row) => `${row}`)),
  'a footer of 60 million empty structs': () => footerOnly(emptyStructs(60_000_000)),
  '10,000 columns': () => manyChunks(10_000, 1),
  '100 columns in 1,000 groups': () => manyChunks(100, 1000),
  'a page of 134 million nulls': () => hostilePages['claims 134 million nulls']!,
  'a page of texts that unfold': () => hostilePages['has texts that unfold']!,
}

/** The most memory of a server while it refuses Parquet files that unpack to more than they should. */
export const hostileParquet: Measurement = {
  name: 'hostile-parquet',
  run: async (opened, engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-hostile-'))
    opened.defer(() => rmSync(folder, { recursive: true }))
    const figures: Figure[] = []
    for (const [what, make] of Object.entries(files)) {
      const dataDir = join(folder, `${figures.length}`)
      mkdirSync(dataDir)
      await using signedIn = await startSignedInServer(await engine.newDatabase(), { dataDir })
      const { server, token } = signedIn
      const client = createClient({ baseUrl: server.url, token: () => token })
      const schema = [
        { name: 'text', type: 'string', length: textLength },
        { name: 'number', type: 'string', length: 5, optional: true },
      ]
      await client.repoCreate({ body: { name: 'texts', schema } })
      const body = make()
      const before = server.memory()
      server.resetPeak()
      const code = await client
        .importBegin({ datasetId: 'texts', format: 'parquet', body })
        .then(({ state }) => state)
        .catch((error: unknown) => (error as ApiError).code)
      const value = server.peakMemory() - before
      figures.push({ what: `${what}: ${code}`, value, unit: 'bytes', goal: { atMost: memoryMax } })
    }
    return figures
  },
}
