import type { IncomingMessage } from 'node:http'
import { limits } from '@vitrine/contract'
import { fail, failAt } from '../failure.ts'

/** How long a whole JSON body may take, in milliseconds. */
export const usualJsonBodyMs = 60_000

/**
 * Reads a JSON body.
 * @throws Failure MEDIA_TYPE_UNSUPPORTED, CONTENT_TOO_LARGE, REQUEST_TIMEOUT, REQUEST_INVALID
 */
export async function readJson(
  request: IncomingMessage,
  bounds: { maxBytes: number; maxMs: number },
): Promise<unknown> {
  if (!isJson(request.headers['content-type'])) throw fail('MEDIA_TYPE_UNSUPPORTED')
  return parseJson(await readBytes(request, bounds), 'the body')
}

/**
 * Parses JSON that somebody sent.
 * @throws Failure REQUEST_INVALID
 */
export function parseJson(bytes: Uint8Array, what: string): unknown {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw failAt('REQUEST_INVALID', [{ path: [], reason: `${what} is not valid JSON in UTF-8` }])
  }
  refuseSurprises(json, [])
  return json
}

/** RFC 9110 §8.3.1: the type without its parameters; JSON defines none that matter (RFC 8259 §11). */
function isJson(contentType: string | undefined): boolean {
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json'
}

/** By events, as leaving a `for await` early destroys the socket and with it the reply. */
function readBytes(
  request: IncomingMessage,
  { maxBytes, maxMs }: { maxBytes: number; maxMs: number },
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>()
  const chunks: Buffer[] = []
  let size = 0
  const tooLarge = () => {
    chunks.length = 0
    reject(fail('CONTENT_TOO_LARGE'))
  }
  const timer = setTimeout(() => reject(fail('REQUEST_TIMEOUT')), maxMs)
  if (Number(request.headers['content-length']) > maxBytes) tooLarge()
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) tooLarge()
    else chunks.push(chunk)
  })
  request.on('end', () => resolve(Buffer.concat(chunks)))
  request.on('error', () =>
    reject(failAt('REQUEST_INVALID', [{ path: [], reason: 'the body was cut off' }])),
  )
  return promise.finally(() => clearTimeout(timer))
}

/** Bounds how deep a body nests, and refuses the one key that means something to the language. */
function refuseSurprises(value: unknown, path: (string | number)[]): void {
  if (typeof value !== 'object' || value === null) return
  if (path.length >= limits.descriptionDepth) {
    const reason = `nests more than ${limits.descriptionDepth} levels`
    throw failAt('REQUEST_INVALID', [{ path, reason }])
  }
  for (const [key, inner] of Object.entries(value)) {
    if (key === '__proto__') {
      throw failAt('REQUEST_INVALID', [{ path: [...path, key], reason: 'is a reserved name' }])
    }
    refuseSurprises(inner, [...path, Array.isArray(value) ? Number(key) : key])
  }
}
