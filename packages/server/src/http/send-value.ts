import type { Readable } from 'node:stream'
import { extensionOf, mediaTypePattern, octetStream } from '@vitrine/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange } from '../blobs/blobs.ts'
import { fail } from '../failure.ts'
import { isKept, keptAs } from './kept-replies.ts'
import { valuePolicy } from './security-headers.ts'

/** The bytes of one value, to be sent as they are. */
export type SentValue = {
  sha256: string
  size: number
  mime: string
  /** Set for values that are stored as text. */
  charset?: 'utf-8' | undefined
  /** A name for the file, without its extension. */
  fileName: string
  open: (range: ByteRange | undefined) => Promise<Readable | Buffer>
}

/** Media types that browsers draw without running scripts in them. */
const inlineMimes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/**
 * Sends bytes that somebody uploaded, and that are never trusted: their type is checked
 * again and never guessed, nothing in them runs, and few of them are shown in place.
 * @throws Failure RANGE_NOT_SATISFIABLE
 */
export async function sendValue(
  request: FastifyRequest,
  reply: FastifyReply,
  value: SentValue,
): Promise<FastifyReply> {
  const { sha256, size } = value
  const etag = `"${sha256}"`
  const caching = keptAs(etag)
  if (isKept(request, etag)) return reply.code(304).headers(caching).send()
  const range = wantedRange(request, etag, size)
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${size}`)
    throw fail('RANGE_NOT_SATISFIABLE')
  }
  const bytes = request.method === 'HEAD' ? undefined : await value.open(range)
  const mime = mediaTypePattern.test(value.mime) ? value.mime.toLowerCase() : octetStream
  const disposition = inlineMimes.includes(mime) ? 'inline' : 'attachment'
  const fileName = `${value.fileName}.${extensionOf(mime)}`
  reply.headers({
    ...caching,
    'accept-ranges': 'bytes',
    'content-type': value.charset === undefined ? mime : `${mime}; charset=${value.charset}`,
    'content-disposition': `${disposition}; filename="${fileName}"`,
    'content-length': range === undefined ? size : range.end - range.start + 1,
    'content-security-policy': valuePolicy,
  })
  if (range !== undefined) {
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${size}`)
  }
  return reply.send(bytes)
}

/** RFC 9110 §13.1.5: a range of another representation is not wanted. */
function wantedRange({ headers }: FastifyRequest, etag: string, size: number) {
  const ifRange = headers['if-range']
  return ifRange === undefined || ifRange === etag ? parseRange(headers.range, size) : undefined
}

/**
 * Reads a `Range` header (RFC 9110 §14.2) for a value of `size` bytes. Several ranges, other units and
 * what does not parse are ignored, as the RFC allows.
 * @returns undefined for the whole value
 */
function parseRange(
  header: string | undefined,
  size: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? '')
  if (match === null) return undefined
  const [, first = '', last = ''] = match
  if (first === '' && last === '') return undefined
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return undefined
  return start >= size ? 'unsatisfiable' : { start, end }
}
