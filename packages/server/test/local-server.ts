import { startTestServer, type TestServer } from './server.ts'
import { Visitor } from './sign-in.ts'

export const admin = { username: 'admin', password: 'correct horse battery' }

/** A server that is its own provider. */
export type LocalServer = TestServer & {
  /** Where people reach it. */
  publicUrl: string
  visitor: () => Visitor
}

export async function startLocalServer(env: Record<string, string> = {}): Promise<LocalServer> {
  const server = await startTestServer({
    // Empty is unset.
    VITRINE_OIDC_AUTHORITY: '',
    VITRINE_OIDC_AUDIENCE: '',
    VITRINE_ADMIN_PASSWORD: admin.password,
    ...env,
  })
  const publicUrl = env['VITRINE_PUBLIC_URL'] ?? `http://localhost:${new URL(server.url).port}`
  return { ...server, publicUrl, visitor: () => new Visitor(publicUrl) }
}
