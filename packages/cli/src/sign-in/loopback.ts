import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A port of this computer that a browser is led back to (RFC 8252 §7.3). */
export type Loopback = {
  redirectUri: string
  /** Resolves with the address that the browser came to. */
  answer: Promise<URL>
  close: () => void
}

const path = '/callback'

export async function openLoopback(state: string): Promise<Loopback> {
  const { promise: answer, resolve } = Promise.withResolvers<URL>()
  const server = createServer((request, reply) => {
    const url = new URL(request.url ?? '', redirectUri)
    const ours = request.method === 'GET' && url.pathname === path
    // A request without the state was not sent by the provider, and does not end the wait.
    const expected = ours && url.searchParams.get('state') === state
    reply.writeHead(expected ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      connection: 'close',
    })
    reply.end(expected ? pageFor(url) : page('Nothing is here'))
    if (expected) reply.once('close', () => resolve(url))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const redirectUri = `http://127.0.0.1:${port}${path}`
  return {
    redirectUri,
    answer,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function pageFor({ searchParams }: URL): string {
  return searchParams.has('error')
    ? page('Sign-in failed', 'The terminal says why.')
    : page('You are signed in', 'Close this tab and go back to the terminal.')
}

function page(title: string, text = ''): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · Vitrine</title>
    <style>
      :root { color-scheme: light dark }
      body { font: 1rem/1.5 system-ui, sans-serif; margin: 20vh auto; max-width: 24rem; padding: 0 1rem }
      h1 { font-size: 1.25rem }
    </style>
  </head>
  <body><main><h1>${title}</h1><p>${text}</p></main></body>
</html>
`
}
