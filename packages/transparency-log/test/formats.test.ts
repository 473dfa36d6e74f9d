import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  checkpointText,
  entryText,
  isSignedBy,
  makeVerifierKey,
  noteText,
  readBundle,
  readCheckpoint,
  readEntry,
  readNote,
  readTilePath,
  readVerifierKey,
  sealText,
  tilePath,
  verifierKeyText,
  writeBundle,
} from '../src/index.ts'

test('writes addresses of tiles in groups of three digits, and reads no others', () => {
  expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('0/x001/x234/067')
  expect(tilePath({ level: 'entries', index: 0, width: 7 })).toBe('entries/000.p/7')
  for (const index of [0, 7, 999, 1000, 1_234_067, 999_999_999]) {
    for (const width of [1, 255, 256]) {
      const tile = { level: 3, index, width }
      expect(readTilePath(tilePath(tile))).toEqual(tile)
    }
  }
  const wrong = [
    '0/1',
    '0/x000/001',
    '00/001',
    '0/001.p/256',
    '0/001.p/0',
    '0/001.p/01',
    '64/000',
    'x/000',
  ]
  expect(wrong.map(readTilePath)).toEqual(wrong.map(() => undefined))
})

test('keeps entries of bundles apart by their lengths', () => {
  const entries = ['', 'a', 'b'.repeat(300)].map((text) => new TextEncoder().encode(text))
  expect(readBundle(writeBundle(entries))).toEqual(entries)
  expect(readBundle(writeBundle(entries).subarray(0, -1))).toBeUndefined()
  expect(readBundle(new Uint8Array([1]))).toBeUndefined()
})

test('writes seals and entries as RFC 8785 has JSON', () => {
  const sha256 = 'a'.repeat(64)
  expect(
    sealText([
      { field: 'b', sha256 },
      { field: 'B', sha256, mime: 'image/png' },
    ]),
  ).toBe(`{"B":{"mime":"image/png","sha256":"${sha256}"},"b":{"sha256":"${sha256}"}}`)
  const entry = { id: 7, createdAt: '2026-11-24T01:02:03.004Z', by: 'a"b', seal: sha256 }
  const text = `{"by":"a\\"b","createdAt":"2026-11-24T01:02:03.004Z","id":7,"seal":"${sha256}"}`
  expect(entryText(entry)).toBe(text)
  expect(readEntry(text)).toEqual(entry)
  for (const other of [` ${text}`, 'null', '7', '{', text.replace('"id":7', '"id":"7"')]) {
    expect(readEntry(other)).toBeUndefined()
  }
})

test('writes checkpoints, and reads those with more lines', () => {
  const checkpoint = { origin: 'http://localhost:8080/repo/a', size: 3, root: new Uint8Array(32) }
  const text = checkpointText(checkpoint)
  expect(text).toBe(`http://localhost:8080/repo/a\n3\n${'A'.repeat(43)}=\n`)
  expect(readCheckpoint(text)).toEqual(checkpoint)
  expect(readCheckpoint(`${text}more\n`)).toEqual(checkpoint)
  for (const other of [
    '',
    'a\n03\n',
    text.slice(0, -1),
    `${text}\nmore\n`,
    text.replace('\n3\n', '\n-3\n'),
    text.replace('AA=', '='),
  ]) {
    expect(readCheckpoint(other)).toBeUndefined()
  }
})

test('tells notes that a key has signed from all others', async () => {
  const pair = generateKeyPairSync('ed25519')
  const { x } = pair.publicKey.export({ format: 'jwk' })
  const publicKey = new Uint8Array(Buffer.from(x!, 'base64url'))
  const key = await makeVerifierKey({ name: 'http://localhost:8080', publicKey })
  expect(await readVerifierKey(verifierKeyText(key))).toEqual(key)
  expect(await readVerifierKey(verifierKeyText({ ...key, name: 'other' }))).toBeUndefined()

  const text = 'origin\n3\nroot\n'
  const note = noteText(text, key, sign(null, Buffer.from(text), pair.privateKey))
  const signed = readNote(note)!
  expect(signed.text).toBe(text)
  expect(await isSignedBy(signed, key)).toBe(true)
  expect(await isSignedBy(readNote(note.replace('3', '4'))!, key)).toBe(false)
  const other = await makeVerifierKey({ name: 'other', publicKey })
  expect(await isSignedBy(signed, other)).toBe(false)
  for (const none of ['', text, `${text}\nno signature\n`, note.replace('root', 'ro\tt')])
    expect(readNote(none)).toBeUndefined()
})
