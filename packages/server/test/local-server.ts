import { startTestServer, type TestServer, type TestServerOptions } from './server.ts'
import { Visitor } from './sign-in.ts'

export { admin } from './admin.ts'

/** A server that is its own provider, with one account. */
export type LocalServer = TestServer & {
  /** Public URL. */
  publicUrl: string
  visitor: () => Visitor
}

export async function startLocalServer(
  env: Record<string, string> = {},
  options: TestServerOptions = {},
): Promise<LocalServer> {
  const server = await startTestServer(
    // Empty is unset.
    { VITRINE_OIDC_AUTHORITY: '', VITRINE_OIDC_AUDIENCE: '', ...env },
    { content: 'account', ...options },
  )
  const publicUrl = env['VITRINE_PUBLIC_URL'] ?? `http://localhost:${new URL(server.url).port}`
  return { ...server, publicUrl, visitor: () => new Visitor(publicUrl) }
}
