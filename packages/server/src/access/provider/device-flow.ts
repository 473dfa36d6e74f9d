import { type Configuration, type KoaContextWithOIDC, errors } from 'oidc-provider'
import type { Store } from '../../store/store.ts'
import { attemptCode, throttledAddress, tooManyAttempts } from './sign-in-throttle.ts'
import { devicePage, deviceSignedInPage } from './pages/device-page.ts'

type DeviceFlow = NonNullable<NonNullable<Configuration['features']>['deviceFlow']>

/** Seconds that a code is good for. */
export const deviceCodeLife = 600

/**
 * Signing in a program by a code that somebody types in a browser, on whichever computer it runs
 * (RFC 8628). Eight of twenty letters cannot be guessed in ten minutes by those who are slowed down, and
 * whoever guessed one would only sign the other's program in to an account of their own.
 */
export const deviceFlow: DeviceFlow = {
  enabled: true,
  charset: 'base-20',
  mask: '****-****',
  userCodeInputSource: (ctx, _form, _out, error) => {
    const session = ctx.oidc.session as { exp?: number; touched?: boolean } | undefined
    if (session !== undefined && session.exp === undefined && ctx.method === 'POST') {
      // A form without a cookie: the page itself begins a session. The library would save this one,
      // and fails where it was not saved before.
      session.touched = false
      ctx.status = 303
      ctx.redirect(ctx.oidc.urlFor('code_verification'))
      return
    }
    if (error instanceof TooManyCodes) {
      ctx.status = 429
      ctx.set('retry-after', String(error.waitSeconds))
    } else if (error !== undefined) ctx.status = 400
    showDevicePage(ctx, { code: codeOf(ctx), ...(error && { error: sentenceFor(error) }) })
  },
  // Our form says `confirm`, as somebody typed the code or looked at it: only others come here.
  userCodeConfirmSource: (ctx, _form, _client, _info, code) => showDevicePage(ctx, { code }),
  successSource: (ctx) => {
    ctx.body = deviceSignedInPage()
  },
}

class TooManyCodes extends errors.CustomOIDCProviderError {
  readonly waitSeconds: number

  constructor(waitSeconds: number) {
    super('slow_down', tooManyAttempts(waitSeconds))
    this.waitSeconds = waitSeconds
  }
}

/** @throws TooManyCodes when too many wrong ones were typed at the address of the request */
export async function lookUpTypedCode<T>(
  store: Store,
  find: () => Promise<T | undefined>,
  { req }: KoaContextWithOIDC,
  publicUrl: string,
): Promise<T | undefined> {
  const address = throttledAddress(req, publicUrl)
  const attempt = await attemptCode(store, { address, find })
  if (attempt.outcome === 'throttled') throw new TooManyCodes(attempt.waitSeconds)
  return attempt.outcome === 'found' ? attempt.code : undefined
}

/**
 * Takes the code out of an address that has one (RFC 8628 §3.3.1): it is shown to be looked at, where
 * the library would send it on unseen.
 */
export function takeUserCode(ctx: Pick<KoaContextWithOIDC, 'query' | 'state'>): void {
  const { user_code: code, ...rest } = ctx.query
  if (typeof code !== 'string') return
  ctx.query = rest
  ctx.state['userCode'] = code
}

function codeOf(ctx: KoaContextWithOIDC): string {
  const typed = ctx.oidc.params?.['user_code'] ?? ctx.state['userCode']
  return typeof typed === 'string' ? typed.slice(0, 20) : ''
}

function showDevicePage(ctx: KoaContextWithOIDC, content: { code: string; error?: string }): void {
  ctx.body = devicePage({
    action: ctx.oidc.urlFor('code_verification'),
    xsrf: String(ctx.oidc.session?.state?.['secret']),
    ...content,
  })
}

const sentences: Record<string, string> = {
  NoCodeError: 'Enter the code that the terminal shows',
  NotFoundError: 'There is no such code. Look at the terminal again',
  ExpiredError: 'This code has expired. Start the command again',
  AlreadyUsedError: 'This code was used already. Start the command again',
}

function sentenceFor(error: Error): string {
  if (error instanceof TooManyCodes) return tooManyAttempts(error.waitSeconds)
  const { name } = error
  return sentences[name] ?? 'This page was open for too long. Enter the code again'
}
