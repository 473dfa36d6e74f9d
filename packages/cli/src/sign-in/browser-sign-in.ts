import * as oauth from 'oauth4webapi'
import { CommandError } from '../command/command.ts'
import type { StoredSignIn } from './credentials.ts'
import { openLoopback } from './loopback.ts'
import { orSignInFailed, type Provider, signedIn } from './provider.ts'

/** How long somebody has to sign in, in milliseconds. */
const patience = 5 * 60_000

/**
 * Signs somebody in through their browser (docs/decisions/sign-in.md).
 * @param show shows the address that the browser must go to
 * @throws CommandError when that does not come to an end
 */
export async function browserSignIn(
  provider: Provider,
  { scope, show }: { scope: string; show: (address: string) => void },
): Promise<StoredSignIn> {
  const { server, client, request } = provider
  const state = oauth.generateRandomState()
  const nonce = oauth.generateRandomNonce()
  const verifier = oauth.generateRandomCodeVerifier()
  const loopback = await openLoopback(state)
  return orSignInFailed(async () => {
    const address = new URL(server.authorization_endpoint!)
    const parameters = {
      client_id: client.client_id,
      redirect_uri: loopback.redirectUri,
      response_type: 'code',
      scope,
      state,
      nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
    show(address.href)

    const answer = await orTooLate(loopback.answer)
    const validated = oauth.validateAuthResponse(server, client, answer, state)
    const response = await oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      validated,
      loopback.redirectUri,
      verifier,
      request,
    )
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    })
    return signedIn(provider, tokens)
  }).finally(loopback.close)
}

async function orTooLate<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new CommandError('Nobody signed in within five minutes. Begin again.', {
      exitCode: 3,
    })
    timer = setTimeout(() => reject(error), patience)
  })
  try {
    return await Promise.race([answer, late])
  } finally {
    clearTimeout(timer)
  }
}
