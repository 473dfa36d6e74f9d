import { expect, test } from 'vitest'
import { parseBlobAddress } from '../src/config.ts'

const s3 = (parts: object) => ({
  engine: 's3',
  bucket: 'bucket',
  prefix: '',
  endpoint: undefined,
  region: undefined,
  ...parts,
})

test.for([
  ['s3://bucket', s3({})],
  ['s3://bucket/', s3({})],
  ['s3://bucket/some/place', s3({ prefix: 'some/place/' })],
  ['s3://bucket/some/place/', s3({ prefix: 'some/place/' })],
  ['s3://bucket?region=eu-1', s3({ region: 'eu-1' })],
  [
    's3://bucket/x?endpoint=http://127.0.0.1:9000&region=eu-1',
    s3({ prefix: 'x/', endpoint: 'http://127.0.0.1:9000', region: 'eu-1' }),
  ],
  ['file:/srv/blobs', { engine: 'files', folder: '/srv/blobs' }],
  ['file:///srv/blobs', { engine: 'files', folder: '/srv/blobs' }],
  ['file:./blobs', { engine: 'files', folder: `${process.cwd()}/blobs` }],
] as const)('%s', ([address, expected]) => {
  expect(parseBlobAddress(address)).toEqual(expected)
})

test.for([
  'bucket',
  'https://bucket.s3.amazonaws.com',
  's3:bucket',
  's3://',
  's3://B_ucket',
  's3://key:secret@bucket',
  's3://bucket:9000',
  's3://bucket/a b',
  's3://bucket/a//b',
  's3://bucket/%00',
  's3://bucket?endpoint=example.org',
  's3://bucket?endpoint=http://x&accelerate=true',
  's3://bucket#part',
])('%s is none', (address) => {
  expect(parseBlobAddress(address)).toBe(undefined)
})
