import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { openS3Blobs } from '../src/blobs/s3/s3.ts'
import { type BlobAddress, type S3Address, ConfigError, parseBlobAddress } from '../src/config.ts'
import { type Fault, startS3Proxy } from './s3-proxy.ts'
import { isOnS3, ownS3Url } from './test-blobs.ts'

afterEach(() => vi.unstubAllEnvs())

let spoolDir: string

beforeAll(() => {
  spoolDir = mkdtempSync(join(tmpdir(), 'vitrine-'))
})

afterAll(() => rmSync(spoolDir, { recursive: true }))

async function refusal(changes: Partial<S3Address> = {}): Promise<string> {
  const address = parseBlobAddress(ownS3Url()) as BlobAddress & S3Address
  const error = await openS3Blobs({ ...address, ...changes }, { spoolDir }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(ConfigError)
  return (error as Error).message
}

describe.skipIf(!isOnS3)('a start says what to change', () => {
  test('when the bucket does not exist', async () => {
    expect(await refusal({ bucket: 'elsewhere' })).toMatch(
      /^There is no bucket elsewhere at http:\S+: create it, or name another one in VITRINE_BLOB_URL\.$/,
    )
  })

  test('when the secret key is wrong', async () => {
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'another')
    expect(await refusal()).toMatch(
      /refuses the credentials .* \((SignatureDoesNotMatch|AccessDenied)\): check AWS_/,
    )
  })

  test('when the access key is unknown', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'nobody')
    expect(await refusal()).toMatch(
      /cannot be used for s3:.*No user exists|refuses the credentials .* \(AccessDenied\): check/,
    )
  })

  test('when there are no credentials', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', undefined)
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', '/nowhere')
    vi.stubEnv('AWS_CONFIG_FILE', '/nowhere')
    expect(await refusal()).toMatch(/^There are no credentials .*: set AWS_ACCESS_KEY_ID and/)
  })

  test('when the region is wrong', async () => {
    expect(await refusal({ region: 'eu-1' })).toMatch(/region .* is not right .*: name it in/)
  })

  test('when nothing listens at the endpoint', async () => {
    expect(await refusal({ endpoint: 'http://127.0.0.1:1' })).toMatch(
      /cannot be used \(connect ECONNREFUSED 127\.0\.0\.1:1\): check the endpoint/,
    )
  })
})

test.skipIf(!isOnS3).each<Fault>(['internal', 'slow-down', 'reset', 'lost', 'cut'])(
  'a start is not ended by a store that fails each of its requests once: %s',
  async (fault) => {
    const proxy = await startS3Proxy()
    const failed = new Set<string>()
    proxy.fault = ({ method, path }) => {
      const kind = `${method} ${path.includes('list-type') ? 'of a list' : 'of an object'}`
      if (failed.has(kind)) return undefined
      failed.add(kind)
      return fault
    }
    const address = parseBlobAddress(ownS3Url(proxy.endpoint)) as BlobAddress & S3Address
    const blobs = await openS3Blobs(address, { spoolDir })
    expect([...failed].toSorted()).toEqual([
      'DELETE of an object',
      'GET of a list',
      'GET of an object',
      'PUT of an object',
    ])
    const left = []
    for await (const blob of blobs.list()) left.push(blob)
    expect(left).toEqual([])
    await proxy.close()
  },
)
