import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { limits } from '@vitrine/contract'
import { readParts } from '../src/http/multipart.ts'

const boundary = 'b-98765'
const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` }

/** Pieces that look much like a delimiter, and others. */
const bytes = fc
  .array(
    fc.constantFrom(
      '\r',
      '\n',
      '\r\n',
      '-',
      '--',
      'b',
      `\r\n--b`,
      '\r\n--b-',
      '\r\n--b-9876',
      'words',
      '\0',
    ),
  )
  .map((pieces) => pieces.join(''))
  .filter((text) => !`\r\n${text}`.includes(`\r\n--${boundary}`))

const part = ({ name, value }: { name: string; value: string }) =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`

/** The body in chunks of these sizes, over and over. */
function chunked(body: string, sizes: readonly number[]): Readable {
  const whole = Buffer.from(body)
  const chunks: Buffer[] = []
  for (let at = 0; at < whole.length;) {
    const size = sizes[chunks.length % sizes.length]!
    chunks.push(whole.subarray(at, at + size))
    at += size
  }
  return Readable.from(chunks, { objectMode: false })
}

async function read(body: Readable, given: Record<string, string> = headers) {
  const parts: { name: string; mime: string; value: string }[] = []
  for await (const { name, mime, bytes: sent } of readParts(given, body)) {
    parts.push({ name, mime, value: (await buffer(sent)).toString() })
  }
  return parts
}

const readText = (body: string, given?: Record<string, string>) => read(chunked(body, [7]), given)

test('values come out as they went in, however they are cut', { tags: 'long' }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ name: fc.constantFrom('title', 'Tūī', ''), value: bytes })),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }),
      bytes,
      async (parts, sizes, preamble) => {
        const body = `${preamble}\r\n${parts.map(part).join('')}--${boundary}--\r\nepilogue`
        const expected = parts.map((each) => ({ ...each, mime: 'text/plain' }))
        expect(await read(chunked(body, sizes))).toEqual(expected)
      },
    ),
    { numRuns: 500 },
  )
})

test('a form that is cut off anywhere is malformed', async () => {
  const body = `${part({ name: 'a', value: 'one' })}${part({ name: 'b', value: '' })}--${boundary}--`
  for (let length = 0; length < body.length; length += 1) {
    await expect(readText(body.slice(0, length))).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      details: { problems: [{ reason: 'the form data is malformed or cut off' }] },
    })
  }
  expect(await readText(body)).toHaveLength(2)
})

test('a part is read by its Content-Disposition and Content-Type headers', async () => {
  const says = async (lines: string) =>
    readText(`--${boundary} \r\n${lines}\r\n\r\nx\r\n--${boundary}--`)
  const field = 'CONTENT-disposition: Form-Data; filename="a; name=no\\""; Name="title"'
  expect(await says(`${field}\r\ncontent-type: Image/PNG; x=y`)).toEqual([
    { name: 'title', mime: 'image/png', value: 'x' },
  ])
  expect(await says('Content-Disposition: form-data;\r\n name=title')).toMatchObject([
    { name: 'title', mime: 'text/plain' },
  ])
  expect(await says('Content-Disposition: attachment; name="title"')).toEqual([])
  expect(await says('X: y')).toEqual([])
  await expect(says('Content-Disposition: form-data')).rejects.toMatchObject({
    details: { problems: [{ reason: 'a part has no name' }] },
  })
  await expect(says(`X: ${'y'.repeat(8 * 1024)}`)).rejects.toMatchObject({
    code: 'REQUEST_INVALID',
  })
  await expect(readText(`--${boundary}c\r\n\r\n--${boundary}--`)).rejects.toMatchObject({
    code: 'REQUEST_INVALID',
  })
})

test('the boundary may be quoted, and must be there', async () => {
  const body = `--a b\r\nContent-Disposition: form-data; name=t\r\n\r\nx\r\n--a b--`
  const type = (text: string) => ({ 'content-type': text })
  expect(await readText(body, type('Multipart/Form-Data; charset=x; boundary="a b"'))).toHaveLength(
    1,
  )
  await expect(readText(body, type('multipart/form-data'))).rejects.toMatchObject({
    code: 'REQUEST_INVALID',
  })
  await expect(readText(body, type('multipart/mixed; boundary="a b"'))).rejects.toMatchObject({
    code: 'MEDIA_TYPE_UNSUPPORTED',
  })
})

test('no more parts are read than there can be fields', async () => {
  const parts = Array.from({ length: limits.fields + 2 }, (_, index) =>
    part({ name: `f${index}`, value: 'x' }),
  )
  const body = (count: number) => `${parts.slice(0, count).join('')}--${boundary}--`
  expect(await readText(body(limits.fields + 1))).toHaveLength(limits.fields + 1)
  await expect(readText(body(limits.fields + 2))).rejects.toMatchObject({ code: 'REQUEST_INVALID' })
})

test('a part can be left while nothing more of it comes', async () => {
  const body = new Readable({ read: () => {} })
  body.push(part({ name: 'a', value: 'one' }).slice(0, -2))
  const parts = readParts(headers, body)
  const { value } = await parts.next()
  const reading = buffer(value!.bytes)
  setImmediate(() => body.destroy(new Error('enough')))
  await expect(reading).rejects.toThrow('enough')
  await expect(parts.return()).resolves.toMatchObject({ done: true })
})

test('what is left of a part is read on, or passed over', async () => {
  const values = [
    { name: 'a', value: 'x'.repeat(100) },
    { name: 'b', value: 'two' },
  ]
  const parts = readParts(headers, chunked(`${values.map(part).join('')}--${boundary}--`, [10]))
  const { value: first } = await parts.next()
  for await (const piece of first!.bytes) if (piece.length > 0) break
  const { value: more } = await first!.bytes[Symbol.asyncIterator]().next()
  expect(String(more)).toMatch(/^x+$/)
  const { value: second } = await parts.next()
  expect((await buffer(second!.bytes)).toString()).toBe('two')
  expect(await parts.next()).toMatchObject({ done: true })
})

test('a body that fails fails the part that is being read', async () => {
  const body = new Readable({ read: () => {} })
  body.push(part({ name: 'a', value: 'one' }).slice(0, -2))
  setImmediate(() => body.destroy(new Error('too slow')))
  await expect(read(body)).rejects.toThrow('too slow')
})
