import * as oauth from 'oauth4webapi'
import { CommandError } from '../command/command.ts'
import type { StoredSignIn } from './credentials.ts'

/** OpenID provider, with a command as its client. */
export type Provider = {
  server: oauth.AuthorizationServer
  client: oauth.Client
  /** Options of every request. */
  request: { [oauth.allowInsecureRequests]: boolean }
}

/** @throws CommandError when the provider cannot be asked */
export async function findProvider(authority: string, clientId: string): Promise<Provider> {
  const issuer = new URL(authority)
  // A server without TLS has a provider without TLS: its people have decided.
  const request = { [oauth.allowInsecureRequests]: issuer.protocol === 'http:' }
  try {
    const response = await oauth.discoveryRequest(issuer, request)
    const server = await oauth.processDiscoveryResponse(issuer, response)
    return { server, client: { client_id: clientId }, request }
  } catch (cause) {
    const sentence = `The identity provider ${authority} does not answer as one does. Try again later.`
    throw new CommandError(sentence, { cause, exitCode: 7 })
  }
}

/** Makes the stored form of a sign-in: the tokens and the username. */
export function signedIn(provider: Provider, tokens: oauth.TokenEndpointResponse): StoredSignIn {
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  const name = claims?.['preferred_username'] ?? claims?.sub
  return { ...signInOf(provider, tokens), username: typeof name === 'string' ? name : undefined }
}

/** @throws CommandError saying why a sign-in failed */
export async function orSignInFailed<T>(signIn: () => Promise<T>): Promise<T> {
  try {
    return await signIn()
  } catch (error) {
    if (error instanceof CommandError) throw error
    const { error_description: reason, message } = error as Error & { error_description?: string }
    throw new CommandError(`The sign-in failed: ${reason ?? message}. Begin again.`, {
      cause: error,
      exitCode: 3,
    })
  }
}

/** Makes the stored form of a provider's tokens. */
export function signInOf(
  { server, client }: Provider,
  tokens: oauth.TokenEndpointResponse,
): Omit<StoredSignIn, 'username'> {
  return {
    authority: server.issuer,
    clientId: client.client_id,
    accessToken: tokens.access_token,
    // A provider that does not say is asked again after five minutes.
    expiresAt: Date.now() + (tokens.expires_in ?? 300) * 1000,
    ...(tokens.refresh_token !== undefined && { refreshToken: tokens.refresh_token }),
  }
}
