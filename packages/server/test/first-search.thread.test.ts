import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { type Client, addItem } from '@vitrine/client'
import { expect, onTestFinished, test } from 'vitest'
import { isOnSqlite } from './test-database.ts'
import { startTestServer } from './server.ts'

const datasetId = 'words'

const screens: [screen: string, look: (client: Client) => Promise<unknown>][] = [
  ['datasets', (client) => client.datasetList({})],
  ['datasets as they are searched', (client) => client.datasetSearch({})],
  ['items', (client) => client.datasetItemList({ datasetId })],
]

test.runIf(isOnSqlite).for(screens)(
  'whoever looks at %s finds a thread for their first search',
  async ([, look]) => {
    const { client, close } = await startTestServer()
    onTestFinished(close)
    const word = { name: 'word', type: 'string', length: 20 } as const
    await client.repoCreate({ body: { name: datasetId, schema: [word] } })
    await addItem(client, datasetId, { word: 'Tom' })
    const started = once(process, 'worker')
    await look(client)
    const [worker] = (await started) as [Worker]
    await once(worker, 'message')
    const answered = once(worker, 'message')
    const [found] = await client.datasetItemList({ datasetId, q: 'om' })
    expect(found?.data).toEqual({ word: 'Tom' })
    await answered
  },
)
