import { createServer, type RequestListener, type Server } from 'node:http'
import type { Server as TlsServer } from 'node:https'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { startTestServer } from '../../server/test/server.ts'
import { s3Credentials } from '../../server/test/test-blobs.ts'
import { vitrine } from './vitrine.ts'

export type Line = { subject: string; status: string; found: string; change?: string }

/** Listens on a free port until the test has ended. */
export async function listen(server: Server | TlsServer): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

export const answering = (answer: RequestListener) => listen(createServer(answer))

/** A server that runs, and the variables that it was started with. */
export async function start(own: Record<string, string> = {}) {
  const server = await startTestServer(own)
  onTestFinished(() => server.close())
  const authorization = await answering(({ url }, response) => {
    const { searchParams } = new URL(url!, 'http://here')
    const back = new URL(searchParams.get('redirect_uri')!)
    back.searchParams.set('error', refusal)
    response.writeHead(303, { location: back.href }).end()
  })
  let refusal = 'login_required'
  server.issuer.discovery = {
    authorization_endpoint: `http://${authorization}/authorize`,
    token_endpoint: `http://${authorization}/token`,
  }
  const env: Record<string, string> = {
    VITRINE_PORT: new URL(server.url).port,
    VITRINE_DATA_DIR: server.dataDir,
    VITRINE_OIDC_AUTHORITY: server.issuer.issuer,
    VITRINE_OIDC_AUDIENCE: server.issuer.audience,
    ...server.blobs.env,
    ...s3Credentials(),
    ...server.database.env,
    ...own,
  }
  return { server, env, refuse: (error: string) => (refusal = error) }
}

/** Runs the doctor, with `token` on standard input. */
export async function examine(env: Record<string, string>, token?: string) {
  const words = ['doctor', '--json', ...(token === undefined ? [] : ['--token'])]
  const { code, stdout } = await vitrine(words, {
    env,
    ...(token !== undefined && { stdin: token }),
  })
  const lines = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
  const wrong = lines.filter(({ status }) => status === 'wrong')
  expect(code).toBe(wrong.length > 0 ? 9 : 0)
  for (const { change } of wrong) expect(change).toBeTruthy()
  return { lines, wrong }
}
