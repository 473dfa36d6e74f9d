import { readConfig, startServer } from '@vitrine/server'

// The product's server, which also collects what nobody holds all the time and without a grace: in
// minutes what would take years to meet an upload at the wrong moment.

const server = await startServer(readConfig(process.env))
console.log(`ready at port ${server.port}`)

const stopping = new AbortController()
process.on('SIGTERM', () => stopping.abort())
const graces = {
  insertKeptMs: 3_600_000,
  explorationIdleMs: 3_600_000,
  blobGraceMs: 0,
  orphanGraceMs: 0,
}
while (!stopping.signal.aborted) {
  await server.upkeep(graces).catch((error: unknown) => console.error(error))
  await new Promise((resolve) => setTimeout(resolve, 200))
}
await server.close()
