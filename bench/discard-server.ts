import { createServer } from 'node:http'
import { freeChunks } from '../packages/server/src/runtime/gc.ts'

/** The limit of receiving: takes in bodies as fast as Node hands them over, and does nothing with them. */
const server = createServer((request, response) => {
  request.on('data', (chunk: Buffer) => freeChunks(chunk.length))
  request.on('end', () => response.setHeader('content-length', 2).end('{}'))
  request.resume()
})
process.on('SIGTERM', () => server.close())
server.listen(Number(process.env['VITRINE_PORT']), '127.0.0.1')
