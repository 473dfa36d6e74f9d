import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { startIssuer } from '../packages/server/test/issuer.ts'
import { filledDatabase } from './filled-database.ts'
import { startServerProcess, type ServerProcess } from './server-process.ts'

export type SignedInServer = AsyncDisposable & {
  server: ServerProcess
  token: string
  /** The variables by which another server takes the same token. */
  issuerEnv: Record<string, string>
}

/** The product's server with a real issuer of tokens, on a new data folder unless a database is given. */
export async function startSignedInServer(
  env: Record<string, string> = {},
): Promise<SignedInServer> {
  const issuer = await startIssuer()
  const day = 24 * 3600
  const token = await issuer.token({ exp: Math.floor(Date.now() / 1000) + day })
  const issuerEnv = {
    VITRINE_OIDC_AUTHORITY: issuer.issuer,
    VITRINE_OIDC_CLIENT_ID: issuer.clientId,
    VITRINE_OIDC_AUDIENCE: issuer.audience,
  }
  const server = await startServerProcess({ env: { ...issuerEnv, ...env } })
  return {
    server,
    token,
    issuerEnv,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]()
      await issuer.close()
    },
  }
}

/** The same on the filled database. */
export async function startFilledServer(env: Record<string, string> = {}): Promise<SignedInServer> {
  return startSignedInServer({ VITRINE_DATABASE_URL: `sqlite:${await filledDatabase()}`, ...env })
}

/** The same on a copy of it, for what adds to the database. */
export async function startCopiedServer(
  opened: AsyncDisposableStack,
  env: Record<string, string> = {},
): Promise<SignedInServer> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  opened.defer(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'copy.db')
  const filled = await filledDatabase()
  // All that is in the write-ahead log comes into the file that is copied.
  const database = new DatabaseSync(filled)
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  database.close()
  copyFileSync(filled, file)
  return opened.use(await startSignedInServer({ VITRINE_DATABASE_URL: `sqlite:${file}`, ...env }))
}
