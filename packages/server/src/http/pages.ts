import { existsSync } from 'node:fs'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { fail } from '../failure.ts'
import { sendFailure } from './errors.ts'

export type Pages = {
  /** The built web app. */
  webDir: string
  publicUrl: string
  /** The Content-Security-Policy of the app's pages. */
  policy: string
}

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

const notBuilt = `<!doctype html><meta charset="utf-8"><title>Vitrine</title>
<p>The web app is not built. Run <code>npm run build</code> in the project's folder, then start the server again.</p>
`

/** Serves the web app: its files, and its one page for every address that a browser is sent to. */
export async function servePages(
  app: FastifyInstance,
  { webDir, publicUrl, policy }: Pages,
): Promise<void> {
  const built = existsSync(join(webDir, 'index.html'))
  if (built) {
    const hashed = join(webDir, 'static') + sep
    await app.register(fastifyStatic, {
      root: webDir,
      preCompressed: true,
      cacheControl: false,
      dotfiles: 'ignore',
      setHeaders: (reply, path) => {
        const immutable = path.startsWith(hashed)
        reply.header(
          'cache-control',
          immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
        )
        if (path.endsWith('.html')) reply.header('content-security-policy', policy)
      },
    })
  }
  app.addHook('onRequest', async (request, reply) => {
    const better = isPageVisit(request) ? sameByPublicName(request, publicUrl) : undefined
    if (better !== undefined) return reply.redirect(better, 307)
  })
  app.setNotFoundHandler(async (request, reply) => {
    if (!isPageVisit(request)) return sendFailure(fail('ROUTE_NOT_FOUND'), request, reply)
    if (built) return reply.sendFile('index.html')
    return reply
      .code(503)
      .header('content-security-policy', "default-src 'none'")
      .type('text/html; charset=utf-8')
      .send(notBuilt)
  })
}

/** A browser that is sent to an address asks for HTML; scripts and pictures do not. */
function isPageVisit({ method, url, headers }: FastifyRequest): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    !url.startsWith('/static/') &&
    headers.accept?.includes('text/html') === true
  )
}

/**
 * The provider sends people back to the public address only, and storage is by origin: a sign-in that
 * began under another name of this machine could not end there.
 */
function sameByPublicName({ url, headers }: FastifyRequest, publicUrl: string): string | undefined {
  const wanted = new URL(publicUrl)
  const requestUrl = `http://${headers.host}`
  if (!loopbackNames.includes(wanted.hostname) || !URL.canParse(requestUrl)) return undefined
  const { hostname, port } = new URL(requestUrl)
  if (!loopbackNames.includes(hostname) || port !== wanted.port) return undefined
  return hostname === wanted.hostname ? undefined : `${publicUrl}${url}`
}
