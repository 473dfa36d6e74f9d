import type { IncomingMessage } from 'node:http'
import { PassThrough, type Readable } from 'node:stream'
import { fail, failAt } from '../failure.ts'
import { freeChunks } from '../runtime/gc.ts'

/**
 * The body of a request as a stream that may be left early: leaving the request itself would destroy
 * the socket, and the reply with it. There is no bound on the whole, as a large upload over a slow
 * line is welcome, but one on silence.
 * @throws Failure REQUEST_TIMEOUT after `idleMs` without a byte, REQUEST_INVALID when cut off
 */
export function streamBody(request: IncomingMessage, { idleMs }: { idleMs: number }): Readable {
  const body = new PassThrough()
  const cutOff = () => {
    // Also of one that has come whole: what is not read by then is lost with the connection.
    if (!request.readableEnded) {
      body.destroy(failAt('REQUEST_INVALID', [{ path: [], reason: 'the body was cut off' }]))
    }
  }
  const silent = () => {
    // A sender that is held back is not silent.
    if (body.writableNeedDrain) timer.refresh()
    else body.destroy(fail('REQUEST_TIMEOUT'))
  }
  const timer = setTimeout(silent, idleMs)
  const heard = (chunk: Buffer) => {
    timer.refresh()
    freeChunks(chunk.length)
  }
  request.on('data', heard).on('error', cutOff).on('close', cutOff)
  request.on('end', () => clearTimeout(timer))
  body.on('close', () => {
    clearTimeout(timer)
    request.off('data', heard).off('close', cutOff)
  })
  // The reader learns of an error by reading; one that it never reaches must not end the process.
  body.on('error', () => {})
  if (request.destroyed) cutOff()
  request.pipe(body)
  return body
}
