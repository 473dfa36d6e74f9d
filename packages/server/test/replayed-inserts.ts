import { integrityPart, type SchemaField } from '@vitrine/contract'
import { contents } from '../../contract/test/arbitraries.ts'
import {
  textOfSample,
  type SampleItem,
  type SampleValue,
} from '../../contract/test/sample-world.ts'
import type { Choices } from './choices.ts'
import { sha256 } from './photos.ts'
import {
  jsonRequest,
  request,
  said,
  type ReplayedRequest,
  type Requests,
} from './replayed-request.ts'

type Part = { name: string; mime: string; bytes: Uint8Array<ArrayBuffer> }
type Repo = { name: string; schema: readonly SchemaField[] }

const boundary = 'between-the-parts'
const signatures: Record<string, number[]> = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
}

/**
 * Adds an item under its id. Inserts below it are begun, wronged and left alone; the item itself comes
 * whole, or field by field, and is often committed twice.
 */
export function* addSampleItem(
  choices: Choices,
  repo: Repo,
  { id: wanted, data }: SampleItem,
): Requests {
  const parts = Object.entries(data).map(([name, value]) => partOf(name, value))
  for (;;) {
    const { id } = said(yield request('insertBegin', { datasetId: repo.name })) as { id: number }
    const insert = { datasetId: repo.name, itemId: id }
    if (id < wanted || choices.happens(15)) yield* wrong(choices, repo, insert, parts)
    if (id === wanted - 1 && choices.happens(20)) {
      const signed = [...parts, integrityPartOf(parts)]
      const key = `addition-${wanted}`
      yield addAtOnce(repo, key, multipart(signed))
      if (choices.happens(30)) yield addAtOnce(repo, key, multipart(signed))
      if (choices.happens(30)) yield addAtOnce(repo, key, multipart(parts))
      return
    }
    if (id < wanted) continue
    if (choices.happens(60)) yield upload(insert, multipart(parts))
    else for (const part of parts) yield uploadField(insert, part)
    yield commit(insert, integrityOf(parts))
    if (choices.happens(15)) yield commit(insert, integrityOf(parts))
    if (choices.happens(10)) yield upload(insert, multipart(parts))
    if (choices.happens(5)) yield commit(insert, {})
    return
  }
}

type Insert = { datasetId: string; itemId: number }

/** Something that must be refused, or that changes nothing that anybody sees. */
function* wrong(choices: Choices, repo: Repo, insert: Insert, parts: Part[]): Requests {
  const field = choices.pick(repo.schema)
  const bytes = (text: string) => new TextEncoder().encode(text)
  const bad = (content: Uint8Array<ArrayBuffer>, mime = 'text/plain') =>
    choices.happens(50)
      ? uploadField(insert, { name: field.name, mime, bytes: content })
      : upload(insert, multipart([{ name: field.name, mime, bytes: content }]))
  const [first] = parts
  const wrongs: (() => ReplayedRequest)[] = [
    () => bad(bytes('x'.repeat(11))),
    () => bad(bytes('nul \0')),
    () => bad(new Uint8Array([0x61, 0xff, 0xfe])),
    () => bad(bytes('007')),
    () => bad(bytes('999999')),
    () => bad(bytes('9007199254740993')),
    () => bad(bytes('not a picture'), 'image/png'),
    () => bad(bytes('{}'), 'application/json'),
    () => upload(insert, multipart([{ name: 'nobody', mime: 'text/plain', bytes: bytes('a') }])),
    () => upload(insert, multipart([...parts, ...parts])),
    () => upload(insert, multipart(parts).slice(0, -9)),
    () => upload(insert, new Uint8Array()),
    () => ({ ...upload(insert, multipart(parts)), headers: { 'content-type': 'text/plain' } }),
    () => uploadField(insert, { name: 'nobody', mime: 'text/plain', bytes: bytes('a') }),
    () => upload({ ...insert, itemId: insert.itemId + 1000 }, multipart(parts)),
    () => commit({ ...insert, itemId: insert.itemId + 1000 }, integrityOf(parts)),
    () => commit({ ...insert, datasetId: 'nobody' }, integrityOf(parts)),
    () => commit(insert, integrityOf(parts)),
    () => commit(insert, {}),
    () => commit(insert, { nobody: { sha256: sha256('') } }),
    () => commit(insert, { [field.name]: { sha256: 'not a digest' } }),
    () => commit(insert, first && { ...integrityOf(parts), [first.name]: { sha256: sha256('?') } }),
    () => jsonRequest('insertCommit', insert, '{"integrity":'),
    () => jsonRequest('insertCommit', insert, { integrity: {}, more: 1 }),
    () => request('insertBegin', { datasetId: 'nobody' }),
    () => request('insertBegin', { datasetId: repo.name }, { search: 'page=1' }),
  ]
  for (let count = choices.below(3); count >= 0; count -= 1) yield choices.pick(wrongs)()
  if (choices.happens(20)) {
    // Digests that are not those of what was received.
    yield upload(insert, multipart(parts))
    yield commit(insert, Object.fromEntries(parts.map(({ name }) => [name, digest('?')])))
  }
}

/** The part that signs off all others. */
const integrityPartOf = (parts: readonly Part[]): Part => ({
  name: integrityPart,
  mime: 'application/json',
  bytes: new TextEncoder().encode(JSON.stringify(integrityOf(parts))),
})

function addAtOnce({ name }: Repo, key: string, body: Uint8Array<ArrayBuffer>): ReplayedRequest {
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  return request('itemAdd', { datasetId: name, key }, { headers, body })
}

const digest = (value: string | Uint8Array) => ({ sha256: sha256(value) })

const integrityOf = (parts: readonly Part[]) =>
  Object.fromEntries(parts.map(({ name, bytes }) => [name, digest(bytes)]))

function commit(insert: Insert, integrity: unknown): ReplayedRequest {
  return jsonRequest('insertCommit', insert, { integrity })
}

function uploadField(insert: Insert, { name, mime, bytes }: Part): ReplayedRequest {
  const headers = { 'content-type': mime }
  return request('insertFieldUpload', { ...insert, fieldName: name }, { headers, body: bytes })
}

function upload(insert: Insert, body: Uint8Array<ArrayBuffer>): ReplayedRequest {
  const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }
  return request('insertUpload', insert, { headers, body })
}

function multipart(parts: readonly Part[]): Uint8Array<ArrayBuffer> {
  const pieces = parts.flatMap(({ name, mime, bytes }) => [
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n` +
        `content-type: ${mime}\r\n\r\n`,
    ),
    bytes,
    Buffer.from('\r\n'),
  ])
  return new Uint8Array(Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]))
}

function partOf(name: string, value: SampleValue): Part {
  if (typeof value !== 'object' || 'json' in value) {
    return { name, mime: 'text/plain', bytes: new TextEncoder().encode(textOfSample(value)) }
  }
  // A picture must begin as one.
  const bytes = [...(signatures[value.mime] ?? []), ...contents.get(value.sha256)!]
  return { name, mime: value.mime, bytes: new Uint8Array(bytes) }
}
