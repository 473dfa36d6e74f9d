import type { TestServer } from './server.ts'

export const wordSchema = [
  { name: 'word', type: 'string' },
  { name: 'number', type: 'integer', optional: true },
]

/** Makes the repository `words` of so many items. */
export async function fillNumbered(
  { client }: TestServer,
  count = 40,
  wordOf = (number: number) => `w${number}`,
): Promise<void> {
  await client.repoCreate({ body: { name: 'words', schema: wordSchema } })
  const rows = Array.from({ length: count }, (_, number) => ({ word: wordOf(number), number }))
  const body = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  const into = { datasetId: 'words' }
  let begun = await client.importBegin({ ...into, format: 'ndjson', body })
  // A machine with much to do takes longer than a call waits.
  while (begun.state !== 'done') {
    begun = await client.importGet({ ...into, importKey: begun.key, wait: 20 })
  }
}

export const snapshotFile = (state: string) => `/api/dataset/${state}/snapshot.parquet`

/** The digests of the files of all snapshots. */
export const keptSnapshots = ({ database }: TestServer): Promise<string[]> =>
  database.use(async ({ reads }) => {
    const parts = await reads.selectFrom('snapshot_parts').select('sha256').execute()
    return parts.map(({ sha256 }) => sha256).toSorted()
  })

/** Has all snapshots be read longest ago, those of a lower state before others. */
export const forgetReaders = ({ database }: TestServer): Promise<void> =>
  database.use(({ write }) =>
    write(async (transaction) => {
      await transaction
        .updateTable('snapshots')
        .set((row) => ({ used_at: row.ref('at') }))
        .execute()
    }),
  )
