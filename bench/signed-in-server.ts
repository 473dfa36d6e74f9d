import { startIssuer } from '../packages/server/test/issuer.ts'
import { filledDatabase } from './filled-database.ts'
import { startServerProcess, type ServerProcess } from './server-process.ts'

export type SignedInServer = AsyncDisposable & { server: ServerProcess; token: string }

/** The product's server with a real issuer of tokens, on a new data folder unless a database is given. */
export async function startSignedInServer(
  env: Record<string, string> = {},
): Promise<SignedInServer> {
  const issuer = await startIssuer()
  const day = 24 * 3600
  const token = await issuer.token({ exp: Math.floor(Date.now() / 1000) + day })
  const server = await startServerProcess({
    env: {
      VITRINE_OIDC_AUTHORITY: issuer.issuer,
      VITRINE_OIDC_CLIENT_ID: issuer.clientId,
      VITRINE_OIDC_AUDIENCE: issuer.audience,
      ...env,
    },
  })
  return {
    server,
    token,
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
