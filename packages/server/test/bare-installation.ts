import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { startIssuer, type Issuer } from './issuer.ts'
import { createTestBlobs, type TestBlobs } from './test-blobs.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

/** Parts that the processes of an installation share. */
export type BareInstallation = {
  dataDir: string
  blobs: TestBlobs
  database: TestDatabase
  issuer: Issuer
  /** Environment of a process, with database and blobs. */
  env: Record<string, string>
}

/** Gives each test of a file an installation, by calling what this returns; tests start its processes themselves. */
export function eachInstallation(): () => BareInstallation {
  let installation: BareInstallation

  beforeEach(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-'))
    const blobs = createTestBlobs(dataDir)
    const database = await createTestDatabase(dataDir)
    const issuer = await startIssuer()
    installation = { dataDir, blobs, database, issuer, env: { ...database.env, ...blobs.env } }
  })

  afterEach(async () => {
    const { dataDir, database, issuer } = installation
    await issuer.close()
    await database.drop()
    rmSync(dataDir, { recursive: true })
  })

  return () => installation
}
