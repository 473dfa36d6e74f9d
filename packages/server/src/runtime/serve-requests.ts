import { parentPort } from 'node:worker_threads'
import type { NumberedReply, NumberedRequest } from './request-thread.ts'
import { yieldProcessor } from './yield-processor.ts'

/**
 * Answers what a `RequestThread` asks of this thread, one request after the other; `buffersOf` a reply are
 * handed over.
 */
export function serveRequests<Reply>(
  answer: (request: never) => Reply,
  buffersOf: (reply: Reply) => ArrayBuffer[] = () => [],
): void {
  yieldProcessor()
  const port = parentPort!
  port.on('message', ({ id, request }: NumberedRequest<never>) => {
    try {
      const reply = answer(request)
      port.postMessage({ id, reply } satisfies NumberedReply<Reply>, buffersOf(reply))
    } catch (error) {
      const { message, errcode } = error as Error & { errcode?: number }
      port.postMessage({ id, error: { message, errcode } } satisfies NumberedReply<Reply>)
    }
  })
}
