import { once } from 'node:events'
import { connect } from 'node:net'
import { requestBytes } from './connection.ts'

const memory = Buffer.allocUnsafe(256 * 1024)
const status = Buffer.from('HTTP/1.1 200 ')
const lastChunk = Buffer.from('\r\n0\r\n\r\n')

/**
 * Asks for a reply in chunks and passes over what comes, which is read into the same memory again and again:
 * on a machine of two cores `fetch` takes a fifth of the time that the server does.
 * @throws Error if it is another status than 200, or not whole
 */
export async function passOver(port: number, path: string, token: string): Promise<void> {
  let first = Buffer.alloc(0)
  let last = Buffer.alloc(0)
  const onread = {
    buffer: memory,
    callback: (length: number) => {
      const come = memory.subarray(0, length)
      if (first.length === 0) first = Buffer.from(come.subarray(0, status.length))
      last = Buffer.concat([last, come.subarray(-lastChunk.length)]).subarray(-lastChunk.length)
      return true
    },
  }
  const socket = connect({ host: '127.0.0.1', port, onread })
  const headers = { authorization: `Bearer ${token}`, connection: 'close' }
  socket.write(requestBytes('GET', path, headers))
  await once(socket, 'close')
  if (!first.equals(status) || !last.equals(lastChunk)) {
    throw new Error(`${path} was answered with ${first.toString()}…${last.toString()}`)
  }
}
