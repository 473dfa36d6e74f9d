import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import { chosenEngines, postgresUrl } from './engines.ts'
import { ownS3Url, s3Credentials } from './test-blobs.ts'

/** A place with nothing in it, on the engines of the test: what a server is told of it. */
export async function createEmptyPlace(
  dataDir: string,
): Promise<{ env: Record<string, string>; drop: () => Promise<void> }> {
  const env: Record<string, string> = { VITRINE_DATA_DIR: dataDir, VITRINE_PORT: '0' }
  if (chosenEngines.blobs === 's3') {
    Object.assign(env, { VITRINE_BLOB_URL: ownS3Url() }, s3Credentials())
  }
  if (chosenEngines.database === 'sqlite') return { env, drop: async () => {} }
  const name = `vitrine_${randomUUID().replaceAll('-', '')}`
  await administer(`create database ${name} template template0 encoding 'UTF8'`)
  const url = new URL(postgresUrl!)
  url.pathname = name
  env['VITRINE_DATABASE_URL'] = url.href
  return { env, drop: () => administer(`drop database ${name} with (force)`) }
}

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: postgresUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
