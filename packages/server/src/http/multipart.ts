import { on } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy'
import { limits } from '@vitrine/contract'
import { fail, failAt, Failure } from '../failure.ts'

/** One part of a form: everything is a stream of bytes, whatever the form says of file names. */
export type Part = {
  name: string
  /** Lowercase; `text/plain` where the part names none (RFC 7578 §4.4). */
  mime: string
  bytes: Readable
}

/**
 * Reads `multipart/form-data` (RFC 7578). A part must be read to its end before the next one comes.
 * Parts that are not `form-data` are no fields and are passed over.
 * @throws Failure MEDIA_TYPE_UNSUPPORTED, REQUEST_INVALID, and whatever `body` fails with
 */
export async function* readParts(
  headers: IncomingHttpHeaders,
  body: Readable,
): AsyncGenerator<Part, void, undefined> {
  const form = openForm(headers)
  const open = new Set<Readable>()
  form.on('file', (_name, bytes) => {
    open.add(bytes)
    // The reader learns of an error by reading; one that it never reaches must not end the process.
    bytes.on('error', () => {}).on('close', () => open.delete(bytes))
  })
  form.on('error', (error) => {
    // Told here, before the form tells the part in its own words.
    const failure = explain(error)
    for (const bytes of open) {
      bytes.emit('error', failure)
      bytes.destroy(failure)
    }
  })
  form.on('partsLimit', () => form.destroy(malformed(`there are more than ${partsMax} parts`)))
  const parts = on(form, 'file', { close: ['finish'] })
  pipeline(body, form, () => {})
  try {
    for await (const [name, bytes, , , mime] of parts as AsyncIterable<FileEvent>) {
      if (name === undefined) throw malformed('a part has no name')
      yield { name, mime, bytes }
    }
  } catch (error) {
    throw explain(error)
  } finally {
    form.destroy()
    body.destroy()
  }
}

type FileEvent = [
  name: string | undefined,
  bytes: Readable,
  filename: string | undefined,
  encoding: string,
  mime: string,
]

/** One for each field, and one more to notice that there are too many. */
const partsMax = limits.fields + 1
const partHeaderBytes = 8 * 1024
/** How much longer than its values a form may be. */
export const formOverheadBytes = partsMax * partHeaderBytes

function openForm(headers: IncomingHttpHeaders): BusboyInstance {
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(headers['content-type'] ?? '')) {
    throw fail('MEDIA_TYPE_UNSUPPORTED')
  }
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      isPartAFile: () => true,
      limits: { parts: partsMax, headerPairs: 20, headerSize: partHeaderBytes },
    })
  } catch {
    throw malformed('the Content-Type names no boundary')
  }
}

function explain(error: unknown): Failure {
  return error instanceof Failure ? error : malformed('the form data is malformed or cut off')
}

function malformed(reason: string): Failure {
  return failAt('REQUEST_INVALID', [{ path: [], reason }])
}
