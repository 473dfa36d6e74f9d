import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { QueryClient } from '@tanstack/react-query'
import { createClient } from '@vitrine/client'
import type { Feature } from '@vitrine/contract'
import { expect, onTestFinished, test } from 'vitest'
import { createQueries } from '../src/data/queries.ts'

/** Returns the requests of the web app to a server with some features. */
async function explorationOf(features: Feature[]): Promise<string[]> {
  const asked: string[] = []
  const server = createServer(({ url = '' }, reply) => {
    asked.push(url)
    const body = url.includes('/count') ? { totalItems: 0 } : []
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, token: () => 'token' })
  const queries = createQueries(client, features)
  const queryClient = new QueryClient()
  await queryClient.fetchQuery(queries.datasetItemList('words', 0))
  await queryClient.fetchQuery(queries.datasetCount('words'))
  await queryClient.fetchQuery(queries.datasetFirstItems('words', 5))
  queryClient.clear()
  return asked
}

test('parts are asked for where the server announces that it gives them', async () => {
  expect(await explorationOf(['partial'])).toEqual([
    '/api/dataset/words/item?page=0&pageSize=20&partial=true',
    '/api/dataset/words/count?partial=true',
    '/api/dataset/words/item?pageSize=5&partial=true',
  ])
})

test('another server of the sixteen calls is asked for nothing that it may refuse', async () => {
  expect(await explorationOf([])).toEqual([
    '/api/dataset/words/item?page=0&pageSize=20',
    '/api/dataset/words/count',
    '/api/dataset/words/item?pageSize=5',
  ])
})
