import { existsSync, readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { prepareRepoReads } from '../src/reading/plain-reads.ts'
import { findDataset, type Dataset } from '../src/store/datasets.ts'
import { prepareLogEntries } from '../src/store/log-entries.ts'
import type { Prepare } from '../src/store/prepare.ts'
import { prepareSealedRows } from '../src/store/sealed-rows.ts'
import { fillWords } from './fill-words.ts'
import { startTestServer } from './server.ts'
import { isOnSqlite } from './test-database.ts'

/** proc(5): `rchar`, the bytes that this process has read. */
const counters = '/proc/self/io'
const bytesRead = () => Number(/^rchar: (\d+)/.exec(readFileSync(counters, 'utf8'))![1])

type Read = (
  prepare: Prepare,
  repo: Dataset,
  range: { from: number; to: number },
) => Promise<unknown>

const reads: Record<string, Read> = {
  'the hashes of a log': (prepare, repo, range) => prepareLogEntries(prepare, repo).leaves(range),
  'the entries of a log': (prepare, repo, range) => prepareLogEntries(prepare, repo).range(range),
  'the rows of a check': (prepare, repo, range) => prepareSealedRows(prepare, repo).range(range),
  'their size': (prepare, repo, range) => prepareSealedRows(prepare, repo).bytes(range),
  'a page': (prepare, repo, range) => prepareRepoReads(prepare, repo).range(range),
}

test.runIf(isOnSqlite && existsSync(counters)).each(Object.entries(reads))(
  '%s: a window is read to its end, not to that of the table',
  async (_, read) => {
    const server = await startTestServer()
    onTestFinished(() => server.close())
    const schema = [{ name: 'word', type: 'string' }]
    await server.client.repoCreate({ body: { name: 'words', schema } })
    await fillWords(server, 50_000)
    await server.database.use(async (store) => {
      const repo = (await findDataset(store.reads, 'words'))!
      const before = bytesRead()
      // Reads before it returns.
      const reading = read(store.prepare, repo, { from: 100, to: 120 })
      const bytes = bytesRead() - before
      await reading
      // The whole table has more than a megabyte.
      expect(bytes).toBeLessThan(200_000)
    })
  },
)
