import type { IncomingMessage } from 'node:http'
import { fail, failAt } from '../failure.ts'
import { freeChunks } from '../runtime/gc.ts'

/**
 * The bytes of a request, which may be left early: leaving the request itself would destroy the socket, and the reply
 * with it. There is no bound on the whole, as a large upload over a slow line is welcome, but one on silence.
 */
export class RequestBody implements AsyncIterable<Buffer> {
  readonly #request: IncomingMessage
  readonly #idleMs: number
  #isDestroyed = false
  #error: Error | undefined
  #wake: (() => void) | undefined

  /** A sender that leaves its reader waiting for `idleMs` is silent. */
  constructor(request: IncomingMessage, { idleMs }: { idleMs: number }) {
    this.#request = request
    this.#idleMs = idleMs
    for (const event of events) request.on(event, this.#progress)
  }

  /**
   * Reads on where others have left.
   * @throws Failure REQUEST_TIMEOUT, REQUEST_INVALID when cut off or destroyed, and what `destroy` was called with
   */
  [Symbol.asyncIterator](): AsyncIterator<Buffer, undefined> {
    return { next: () => this.#next() }
  }

  /** Ends reading, that which is under way as well. */
  destroy(error?: Error): void {
    this.#isDestroyed = true
    this.#error ??= error
    for (const event of events) this.#request.off(event, this.#progress)
    this.#wake?.()
  }

  readonly #progress = (): void => this.#wake?.()

  async #next(): Promise<IteratorResult<Buffer, undefined>> {
    const request = this.#request
    for (;;) {
      if (this.#isDestroyed) throw this.#error ?? cutOff()
      if (request.readableEnded) return { done: true, value: undefined }
      // What has come and was not read is lost with the connection.
      if (request.destroyed) throw cutOff()
      const chunk = request.read() as Buffer | null
      if (chunk !== null) {
        freeChunks(chunk.length)
        return { done: false, value: chunk }
      }
      await this.#wait()
    }
  }

  async #wait(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wake = resolve
    const timer = setTimeout(() => this.destroy(fail('REQUEST_TIMEOUT')), this.#idleMs)
    await promise
    clearTimeout(timer)
    this.#wake = undefined
  }
}

const events = ['readable', 'end', 'error', 'close'] as const

const cutOff = () => failAt('REQUEST_INVALID', [{ path: [], reason: 'the body was cut off' }])
