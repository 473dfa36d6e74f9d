import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import { type AccountRow, findAccount } from '../../store/accounts.ts'
import { type SessionKeys, endSessions } from '../../store/provider.ts'
import type { Store } from '../../store/store.ts'
import { choosePassword } from './choose-password.ts'
import { attemptSignIn, logAttempt, throttledAddress, tooManyAttempts } from './sign-in-throttle.ts'
import { passwordIn, show, takeForms } from './forms.ts'
import { type KnownBrowsers, isSignature, signature } from './known-browser.ts'
import { accountPage, noAccountPage } from './pages/account-page.ts'
import { realmPath } from './clients.ts'
import { type Session, sessionsOf } from './sessions.ts'

/** Who asks, by the provider's cookie, and in which session. */
type Visit = { account: AccountRow; sessionUid: string }

type Form = { Body: URLSearchParams }

/** Sentences of the page on what was done, by a query parameter. */
const doneSentences = new Map([
  ['password', 'The password is changed. All other sessions have ended.'],
  ['session', 'The session has ended.'],
  ['others', 'All other sessions have ended.'],
])

/**
 * The page where people see and change their own account. Other sites cannot send the cookie with a form
 * (`SameSite`), and other pages of this site do not know what a form of this one carries.
 */
export function accountRoutes({
  loadProvider,
  store,
  publicUrl,
  cliClientId,
  browsers,
  takesTokens,
  key,
}: {
  loadProvider: () => Promise<Provider>
  store: Store
  publicUrl: string
  cliClientId: string
  browsers: KnownBrowsers
  takesTokens: boolean
  /** Signs forms. */
  key: string
}): FastifyPluginAsync {
  const path = `${realmPath}/account`
  const siteRoot = `${publicUrl}/`

  return async (app) => {
    takeForms(app)

    app.get<{ Querystring: { done?: unknown } }>(path, async (request, reply) => {
      const visit = await visitOf(request, reply)
      if (visit === undefined) return refuse(reply)
      return showAccount(reply, visit, { notice: doneSentences.get(String(request.query.done)) })
    })

    app.post<Form>(`${path}/password`, async (request, reply) => {
      const visit = await visitOf(request, reply)
      if (visit === undefined || !isOurs(request.body, visit)) return refuse(reply)
      const { account } = visit
      const attempt = await attemptSignIn(store, {
        username: account.name,
        password: passwordIn(request.body, 'current_password'),
        address: throttledAddress(request.raw, publicUrl),
        browserOf: (accountId) => browsers.find(request.headers.cookie, accountId),
      })
      logAttempt(request.log, attempt)
      const again = (field: 'current' | 'new', sentence: string) =>
        showAccount(reply, visit, { error: { field, sentence } })
      switch (attempt.outcome) {
        case 'wrong':
          reply.code(400)
          return again('current', 'This is not the current password.')
        case 'throttled':
          reply.code(429).header('retry-after', attempt.waitSeconds)
          return again('current', tooManyAttempts(attempt.waitSeconds))
        case 'signed in': {
          const refused = await choosePassword(store, attempt.account, {
            password: passwordIn(request.body, 'new_password'),
            again: passwordIn(request.body, 'again'),
            except: keysOf(await sessions(visit), visit),
          })
          if (refused === undefined) {
            request.log.info({ subject: account.id }, 'a password was changed')
            return reply.redirect(`${path}?done=password`, 303)
          }
          reply.code(refused.waitSeconds === undefined ? 400 : 429)
          return again('new', refused.error)
        }
      }
    })

    app.post<Form>(`${path}/sessions`, async (request, reply) => {
      const visit = await visitOf(request, reply)
      if (visit === undefined || !isOurs(request.body, visit)) return refuse(reply)
      const accountId = visit.account.id
      const end = request.body.get('end')
      const open = await sessions(visit)
      if (end === 'others') {
        const except = keysOf(open, visit)
        await store.write((transaction) => endSessions(transaction, { accountId, except }))
        return reply.redirect(`${path}?done=others`, 303)
      }
      const only = open.find(({ id }) => id === end)
      // What has ended already need not be ended.
      if (only !== undefined) {
        await store.write((transaction) => endSessions(transaction, { accountId, only }))
      }
      return reply.redirect(`${path}?done=session`, 303)
    })
  }

  async function visitOf(request: FastifyRequest, reply: FastifyReply): Promise<Visit | undefined> {
    const provider = await loadProvider()
    const context = provider.createContext(request.raw, reply.raw)
    const { accountId, uid } = await provider.Session.get(context)
    const account = accountId && (await findAccount(store.reads, accountId))
    return account ? { account, sessionUid: uid } : undefined
  }

  function isOurs(form: URLSearchParams, visit: Visit): boolean {
    return isSignature(form.get('token') ?? '', key, tokenWords(visit))
  }

  function sessions({ account }: Visit): Promise<Session[]> {
    return sessionsOf(store.reads, { accountId: account.id, cliClientId })
  }

  function keysOf(sessions: Session[], { sessionUid }: Visit): SessionKeys {
    return sessions.find((each) => each.sessionUid === sessionUid) ?? { sessionUid, grantIds: [] }
  }

  async function showAccount(
    reply: FastifyReply,
    visit: Visit,
    message: Pick<Parameters<typeof accountPage>[0], 'notice' | 'error'>,
  ) {
    const open = await sessions(visit)
    return show(
      reply,
      accountPage({
        ...message,
        username: visit.account.name,
        path,
        token: signature(key, tokenWords(visit)),
        siteRoot,
        takesTokens,
        sessions: open.map(
          ({ id, sessionUid, isCommandLine, browser, signedInAt, lastUsedAt }) => ({
            id,
            name: isCommandLine ? `Command line, signed in with ${browser}` : browser,
            signedInAt: new Date(signedInAt),
            lastUsedAt: new Date(lastUsedAt),
            isThis: sessionUid === visit.sessionUid,
          }),
        ),
      }),
    )
  }

  function refuse(reply: FastifyReply) {
    reply.code(403)
    return show(reply, noAccountPage({ siteRoot }))
  }
}

function tokenWords({ sessionUid }: Visit): string[] {
  return ['account form', sessionUid]
}
