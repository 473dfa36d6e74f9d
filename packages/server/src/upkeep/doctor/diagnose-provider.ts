import * as z from 'zod/mini'
import { discoveryAddress } from '../../access/remote-keys.ts'
import type { Config } from '../../config.ts'
import type { OtherClock } from './diagnose-clock.ts'
import { type Diagnosis, ok, reasonOf, skipped, wrong } from './diagnosis.ts'

/** In milliseconds: one request may take this long. */
const timeoutMs = 10_000

/** Metadata that the web app needs beyond those of the server. */
const discovery = z.looseObject({
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
})

/**
 * Asks the provider what the server and the web app ask it: for its keys, and, with nobody signed in,
 * whether it would let people come back to the public address.
 * @param options.checkKeys that of its keys (`access/remote-keys.ts`)
 * @returns the provider's clock, where it says it
 */
export async function* diagnoseProvider(
  { oidc }: Config,
  {
    issuer,
    publicUrl,
    checkKeys,
  }: { issuer: string; publicUrl: string | undefined; checkKeys: () => Promise<void> },
): AsyncGenerator<Diagnosis, OtherClock | undefined> {
  const setting = oidc.authority === undefined ? 'VITRINE_PUBLIC_URL' : 'VITRINE_OIDC_AUTHORITY'
  try {
    await checkKeys()
  } catch (error) {
    const change = `${setting}: the issuer as it is in tokens, to the letter, reached from here`
    yield wrong('provider', `its keys cannot be had: ${reasonOf(error)}`, change)
    return
  }
  const address = discoveryAddress(issuer)
  const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) })
  const date = response.headers.get('date')
  const clock = date === null ? undefined : { whose: 'the provider', date, at: Date.now() }
  yield ok('provider', `${issuer} answers, and its keys can be had`)
  const described = discovery.safeParse(await response.json())
  if (!described.success) {
    const finding = `${address} names no authorization_endpoint or token_endpoint, so nobody can sign in`
    yield wrong('provider', finding, `${setting}: name a provider for sign-ins in browsers`)
  } else if (publicUrl !== undefined) {
    yield await diagnoseRedirect(described.data.authorization_endpoint, { oidc, publicUrl })
  }
  return clock
}

/** Begins a sign-in that has to end at once, as nobody is signed in (OpenID Connect Core 1.0 §3.1.2.1). */
async function diagnoseRedirect(
  endpoint: string,
  { oidc: { clientId, scope }, publicUrl }: Pick<Config, 'oidc'> & { publicUrl: string },
): Promise<Diagnosis> {
  const redirectUri = `${publicUrl}/`
  const request = new URL(endpoint)
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope,
    state: 'doctor',
    nonce: 'doctor',
    prompt: 'none',
    code_challenge: 'A'.repeat(43),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) request.searchParams.set(name, value)
  let response: Response
  try {
    response = await fetch(request, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
  } catch (error) {
    const finding = `${endpoint} does not answer (${reasonOf(error)})`
    return wrong('provider', finding, 'the provider: let its authorization endpoint be reached')
  }
  const client = `the client ${clientId}`
  if (response.status >= 400) {
    return wrong(
      'provider',
      `answers ${response.status} to ${client} that is to come back to ${redirectUri}`,
      'VITRINE_OIDC_CLIENT_ID or VITRINE_PUBLIC_URL, or at the provider the client’s redirect URIs',
    )
  }
  const location = response.headers.get('location')
  if (location === null) {
    const outcome = `answers with a page to ${client} that is to come back to ${redirectUri}: look at it in a browser`
    return skipped('provider', outcome)
  }
  const refusal = location.startsWith(redirectUri)
    ? new URL(location).searchParams.get('error')
    : null
  if (refusal === 'invalid_scope') {
    const problem = `does not know the scope ${scope}`
    return wrong('provider', problem, 'VITRINE_OIDC_SCOPE, or at the provider the client’s scopes')
  }
  if (refusal !== null && !refusal.endsWith('_required')) {
    const why = new URL(location).searchParams.get('error_description') ?? refusal
    const change =
      'at the provider: let this client use the authorization code flow with PKCE (S256)'
    return wrong('provider', `refuses a sign-in of ${client}: ${why}`, change)
  }
  return ok('provider', `knows ${client}, and lets it come back to ${redirectUri}`)
}
