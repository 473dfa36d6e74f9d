import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { errors, type Provider } from 'oidc-provider'
import type { Store } from '../../store/store.ts'
import { passwordLengthMax } from '../../access/provider/passwords.ts'
import { attemptSignIn } from '../../access/provider/sign-in-throttle.ts'
import { clientAddress } from './client-address.ts'
import { loopback } from '../../access/provider/clients.ts'
import type { KnownBrowsers } from '../../access/provider/known-browser.ts'
import type { OpenSignIns } from '../../access/provider/open-sign-ins.ts'
import { errorPage } from '../../access/provider/pages/error-page.ts'
import { providerPolicy } from '../../access/provider/pages/page.ts'
import { signInPage, type SignsIn } from '../../access/provider/pages/sign-in-page.ts'
import { realmPath } from '../../access/provider/realm.ts'

const formBytesMax = 8 * 1024

/**
 * The page that takes a name and a password. Which sign-in it belongs to is told by a cookie that other
 * sites cannot send (`SameSite`) and that is bound to this one address.
 */
export function signInRoutes({
  provider,
  store,
  publicUrl,
  cliClientId,
  browsers,
  openSignIns,
}: {
  provider: Provider
  store: Store
  publicUrl: string
  cliClientId: string
  browsers: KnownBrowsers
  openSignIns: OpenSignIns
}): FastifyPluginAsync {
  const url = `${realmPath}/sign-in/:uid`
  const siteRoot = `${publicUrl}/`

  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: formBytesMax },
      (_request, body, done) => done(null, new URLSearchParams(body as string)),
    )
    app.addHook('onRequest', async (_request, reply) => {
      reply.headers({ 'cache-control': 'no-store', 'content-security-policy': providerPolicy() })
    })

    app.get<{ Params: { uid: string } }>(url, async (request, reply) => {
      const underWay = await findUnderWay(request, reply)
      if (underWay === undefined) return timedOut(reply)
      return show(reply, signInPage({ action: request.url, ...underWay }))
    })

    app.post<{ Params: { uid: string }; Body: URLSearchParams }>(url, async (request, reply) => {
      const underWay = await findUnderWay(request, reply)
      if (underWay === undefined) return timedOut(reply)
      const username = request.body.get('username') ?? ''
      const password = (request.body.get('password') ?? '').slice(0, passwordLengthMax + 1)
      const again = (error: string) =>
        show(reply, signInPage({ action: request.url, ...underWay, username, error }))

      const address = clientAddress(request.raw, publicUrl)
      const browserOf = (accountId: string) => browsers.find(request.headers.cookie, accountId)
      const attempt = await attemptSignIn(store, { username, password, address, browserOf })
      switch (attempt.outcome) {
        case 'wrong':
          reply.code(400)
          return again('Wrong username or password')
        case 'throttled':
          reply.code(429).header('retry-after', attempt.waitSeconds)
          return again(`Too many attempts. Try again in ${waitOf(attempt.waitSeconds)}.`)
        case 'signed in': {
          const login = { accountId: attempt.accountId, amr: ['pwd'] }
          const next = await provider.interactionResult(request.raw, reply.raw, { login })
          openSignIns.end(address)
          reply.header('set-cookie', browsers.remember(attempt.accountId))
          return reply.redirect(next, 303)
        }
      }
    })
  }

  /** The sign-in that a request belongs to, where it is still under way. */
  async function findUnderWay(
    request: FastifyRequest<{ Params: { uid: string } }>,
    reply: FastifyReply,
  ): Promise<{ signsIn: SignsIn } | undefined> {
    try {
      const details = await provider.interactionDetails(request.raw, reply.raw)
      const { uid, params, deviceCode } = details
      if (uid !== request.params.uid) return undefined
      if (params['client_id'] !== cliClientId) return { signsIn: 'the app' }
      if (deviceCode !== undefined) return { signsIn: 'the command line elsewhere' }
      const policy = providerPolicy({ redirectTo: `${loopback}:*` })
      reply.header('content-security-policy', policy)
      return { signsIn: 'the command line' }
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return undefined
      throw error
    }
  }

  function timedOut(reply: FastifyReply) {
    reply.code(400)
    return show(
      reply,
      errorPage({
        error: 'invalid_request',
        error_description: 'this sign-in has ended or has timed out; begin again',
        siteRoot,
      }),
    )
  }
}

function show(reply: FastifyReply, page: string) {
  return reply.type('text/html; charset=utf-8').send(page)
}

export function waitOf(seconds: number): string {
  if (seconds === 1) return '1 second'
  return seconds < 100 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
}
