import { startIssuer } from '../packages/server/test/issuer.ts'
import { startServerProcess, type ServerProcess, type StartOptions } from './server-process.ts'

export type SignedInServer = AsyncDisposable & {
  server: ServerProcess
  token: string
  /** The variables by which another server takes the same token. */
  issuerEnv: Record<string, string>
}

/** The product's server with a real issuer of tokens, on a new data folder if none is given. */
export async function startSignedInServer(
  env: Record<string, string>,
  options: Pick<StartOptions, 'dataDir' | 'file'> = {},
): Promise<SignedInServer> {
  const issuer = await startIssuer()
  const token = await issuer.token()
  const issuerEnv = {
    VITRINE_OIDC_AUTHORITY: issuer.issuer,
    VITRINE_OIDC_CLIENT_ID: issuer.clientId,
    VITRINE_OIDC_AUDIENCE: issuer.audience,
  }
  const server = await startServerProcess({
    env: { ...issuerEnv, ...env },
    ...options,
  })
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

/** Starts so many processes of one installation; returns the first, and the ports of all. */
export async function startProcesses(
  opened: AsyncDisposableStack,
  env: Record<string, string>,
  count: number,
): Promise<Pick<SignedInServer, 'server' | 'token'> & { ports: number[] }> {
  const { server, token, issuerEnv } = opened.use(await startSignedInServer(env))
  const ports = [server.port]
  while (ports.length < count) {
    const other = opened.use(await startServerProcess({ env: { ...issuerEnv, ...env } }))
    ports.push(other.port)
  }
  return { server, token, ports }
}
