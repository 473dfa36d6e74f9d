import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { buffer } from 'node:stream/consumers'
import { fromBufferPromise } from 'yauzl'

/** Parts of a reply that must be equal whatever is below a server. */
export type ComparableReply = { status: number; headers: Record<string, string>; body: unknown }

/** Headers of one connection or one request. */
const ownHeaders = ['connection', 'date', 'keep-alive', 'transfer-encoding', 'x-request-id']

const moments = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
const randomIds = /\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\b/g
/** Digests and sizes of files that moments are written in. */
const ofRows = /"(sha256|contentSize|size)":\s*("[^"]*"|\d+)/g

/** Puts names that all servers share in place of what one server drew at random. */
export class SharedNames {
  readonly #own: string[] = []

  share(text: string): string {
    return text.replaceAll(randomIds, (id) => {
      if (!this.#own.includes(id)) this.#own.push(id)
      return `random-${this.#own.indexOf(id)}`
    })
  }

  own(text: string): string {
    return text.replaceAll(/\brandom-(\d+)\b/g, (_, index) => this.#own[Number(index)]!)
  }
}

/** Reads a reply, leaving out moments; what was drawn at random goes by the order it came in. */
export async function readComparable(
  response: Response,
  names: SharedNames,
): Promise<ComparableReply> {
  const headers = Object.fromEntries(
    [...response.headers]
      .filter(([name]) => !ownHeaders.includes(name))
      .map(([name, value]) => [name, names.share(value)]),
  )
  const bytes = Buffer.from(await response.arrayBuffer())
  const body = await readBody(bytes, headers['content-type'] ?? '')
  return {
    status: response.status,
    headers,
    body: typeof body === 'string' ? names.share(body) : body,
  }
}

async function readBody(bytes: Buffer, mediaType: string): Promise<unknown> {
  if (bytes.length === 0) return ''
  if (mediaType === 'application/zip') return readZip(bytes)
  if (mediaType === 'application/vnd.apache.parquet') {
    const file = new Uint8Array(bytes).buffer
    const rows = await parquetReadObjects({ file, compressors })
    return rows.map((row) => ({ ...row, createdAt: undefined }))
  }
  if (/json|text/.test(mediaType)) return withoutMoments(bytes.toString(), mediaType)
  return bytes.toString('hex')
}

function withoutMoments(text: string, name: string): string {
  const shown = text.replaceAll(moments, '(moment)')
  return /ld\+json|croissant|manifest/.test(name)
    ? shown.replaceAll(ofRows, '"$1":(of rows)')
    : shown
}

/** The entries of an archive by their names. */
async function readZip(bytes: Buffer): Promise<Record<string, string>> {
  const zip = await fromBufferPromise(bytes)
  const files: Record<string, string> = {}
  for await (const entry of zip.eachEntry()) {
    const content = await buffer(await zip.openReadStreamPromise(entry))
    files[entry.fileName] = withoutMoments(content.toString('latin1'), entry.fileName)
  }
  return files
}
