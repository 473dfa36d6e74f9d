import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { type AccountRow, findAccount } from '../../store/accounts.ts'
import type { Store } from '../../store/store.ts'
import { choosePassword } from './choose-password.ts'
import { attemptSignIn, logAttempt, throttledAddress, tooManyAttempts } from './sign-in-throttle.ts'
import { loopback, realmPath } from './clients.ts'
import { passwordIn, show, takeForms } from './forms.ts'
import { type KnownBrowsers, isSignature, signature } from './known-browser.ts'
import type { OpenSignIns } from './open-sign-ins.ts'
import { choosePasswordPage } from './pages/choose-password-page.ts'
import { errorPage, providerPolicy } from './pages/page.ts'
import { type SignsIn, signInPage } from './pages/sign-in-page.ts'

type SignInRequest = FastifyRequest<{ Params: { uid: string }; Body: URLSearchParams }>

/**
 * The page that takes a name and a password and, where that was made up for somebody, a new password.
 * Which sign-in it belongs to is told by a cookie that other sites cannot send (`SameSite`) and that is
 * bound to this one address.
 */
export function signInRoutes({
  loadProvider,
  store,
  publicUrl,
  cliClientId,
  browsers,
  openSignIns,
  key,
}: {
  loadProvider: () => Promise<Provider>
  store: Store
  publicUrl: string
  cliClientId: string
  browsers: KnownBrowsers
  openSignIns: OpenSignIns
  /** Signs what proves that a password was right. */
  key: string
}): FastifyPluginAsync {
  const url = `${realmPath}/sign-in/:uid`
  const siteRoot = `${publicUrl}/`

  return async (app) => {
    takeForms(app)

    app.get<{ Params: { uid: string } }>(url, async (request, reply) => {
      const underWay = await findUnderWay(request, reply)
      if (underWay === undefined) return timedOut(reply)
      return show(reply, signInPage({ action: request.url, ...underWay }))
    })

    app.post<{ Params: { uid: string }; Body: URLSearchParams }>(url, async (request, reply) => {
      const underWay = await findUnderWay(request, reply)
      if (underWay === undefined) return timedOut(reply)
      return request.body.has('ticket') ? choose(request, reply) : attempt(request, reply, underWay)
    })
  }

  /** Judges a name and a password. */
  async function attempt(request: SignInRequest, reply: FastifyReply, underWay: UnderWay) {
    const username = request.body.get('username') ?? ''
    const password = passwordIn(request.body, 'password')
    const again = (error: string) =>
      show(reply, signInPage({ action: request.url, ...underWay, username, error }))

    const address = throttledAddress(request.raw, publicUrl)
    const browserOf = (accountId: string) => browsers.find(request.headers.cookie, accountId)
    const attempted = await attemptSignIn(store, { username, password, address, browserOf })
    logAttempt(request.log, attempted)
    switch (attempted.outcome) {
      case 'wrong':
        reply.code(400)
        return again('Wrong username or password')
      case 'throttled':
        reply.code(429).header('retry-after', attempted.waitSeconds)
        return again(tooManyAttempts(attempted.waitSeconds))
      case 'signed in': {
        const { account } = attempted
        return account.must_change === 1
          ? askForPassword(request, reply, { account })
          : finish(request, reply, account)
      }
    }
  }

  /** Takes the password that somebody chose who has just proved the one that was made up for them. */
  async function choose(request: SignInRequest, reply: FastifyReply) {
    const account = await findAccount(store.reads, request.body.get('account') ?? '')
    const ticket = request.body.get('ticket') ?? ''
    if (account === undefined || !isSignature(ticket, key, ticketOf(request, account))) {
      return timedOut(reply)
    }
    const refused = await choosePassword(store, account, {
      password: passwordIn(request.body, 'new_password'),
      again: passwordIn(request.body, 'again'),
    })
    if (refused !== undefined) {
      reply.code(refused.waitSeconds === undefined ? 400 : 429)
      return askForPassword(request, reply, { account, error: refused.error })
    }
    request.log.info({ subject: account.id }, 'a password was changed')
    return finish(request, reply, account)
  }

  function askForPassword(
    request: SignInRequest,
    reply: FastifyReply,
    { account, error }: { account: AccountRow; error?: string },
  ) {
    return show(
      reply,
      choosePasswordPage({
        action: request.url,
        username: account.name,
        accountId: account.id,
        ticket: signature(key, ticketOf(request, account)),
        ...(error !== undefined && { error }),
      }),
    )
  }

  async function finish(request: SignInRequest, reply: FastifyReply, account: AccountRow) {
    const login = { accountId: account.id, amr: ['pwd'] }
    const provider = await loadProvider()
    const next = await provider.interactionResult(request.raw, reply.raw, { login })
    openSignIns.end(throttledAddress(request.raw, publicUrl))
    reply.header('set-cookie', browsers.remember(account.id))
    return reply.redirect(next, 303)
  }

  /** The sign-in that a request belongs to, where it is still under way. */
  async function findUnderWay(
    request: FastifyRequest<{ Params: { uid: string } }>,
    reply: FastifyReply,
  ): Promise<UnderWay | undefined> {
    const provider = await loadProvider()
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
      const { errors } = await import('oidc-provider')
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

type UnderWay = { signsIn: SignsIn }

/** A ticket is good in one sign-in, and until the account has another password. */
function ticketOf({ params }: SignInRequest, { id, password }: AccountRow): string[] {
  return ['choose a password', params.uid, id, password]
}
