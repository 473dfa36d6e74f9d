import { generateKeyPairSync, sign } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  checkpointText,
  entryText,
  isSignedBy,
  makeVerifierKey,
  noteText,
  proofText,
  readBundle,
  readCheckpoint,
  readEntry,
  readNote,
  readProof,
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
  const nonce = '0123456789abcdef0123456789abcdef'
  const later = text.replace('"seal"', `"nonce":"${nonce}","replaces":3,"seal"`)
  expect(entryText({ ...entry, nonce, replaces: 3 })).toBe(later)
  expect(readEntry(later)).toEqual({ ...entry, nonce, replaces: 3 })
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

test('writes the file of a proof, and reads no other', () => {
  const [one, two] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)]
  const checkpoint = 'example.org/log\n3\nroot\n\n\u2014 example.org/log sig\n'
  const proof = { index: 1, hashes: [one, two], checkpoint }
  const text = proofText(proof)
  const lines = [one, two].map((hash) => Buffer.from(hash).toString('base64'))
  expect(text).toBe(`c2sp.org/tlog-proof@v1\nindex 1\n${lines.join('\n')}\n\n${checkpoint}`)
  expect(readProof(text)).toEqual(proof)
  const withExtra = { ...proof, extra: new Uint8Array([7]) }
  expect(readProof(proofText(withExtra))).toEqual(withExtra)
  const alone = { index: 0, hashes: [], checkpoint }
  expect(readProof(proofText(alone))).toEqual(alone)
  for (const wrong of [
    '',
    'c2sp.org/tlog-proof@v1',
    `c2sp.org/tlog-proof@v1\n\n${checkpoint}`,
    text.replace('@v1', '@v2'),
    text.replace('index 1', 'index 01'),
    text.replace('index 1', 'index -1'),
    text.replace('index 1\n', ''),
    text.replace(lines[0]!, lines[0]!.slice(4)),
    text.replace(lines[0]!, `${lines[0]}=`),
    text.replace(lines[1]!, `${lines[1]!.slice(0, -2)}J=`),
    text.replace('index 1', 'extra *\nindex 1'),
    text.replace(lines[0]!, Array.from({ length: 64 }, () => lines[0]).join('\n')),
  ]) {
    expect(readProof(wrong), wrong).toBeUndefined()
  }
})
