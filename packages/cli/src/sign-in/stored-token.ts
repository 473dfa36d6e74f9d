import * as oauth from 'oauth4webapi'
import { CommandError } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { changeCredentials, type StoredSignIn, readCredentials } from './credentials.ts'
import { findProvider, signInOf } from './provider.ts'

/** How long before its end a token is not used any more, in milliseconds. */
const margin = 30_000

/**
 * Gives the access token of a stored sign-in whenever it is asked, a new one when the last has come to
 * its end.
 * @throws CommandError when there is no sign-in to the server, or it has ended
 */
export function storedToken(io: Io, baseUrl: string): () => Promise<string> {
  let signIn: StoredSignIn | undefined
  let renewing: Promise<StoredSignIn> | undefined
  return async () => {
    signIn ??= (await readCredentials(io)).servers[baseUrl]
    if (signIn === undefined) throw notSignedIn(`You are not signed in to ${baseUrl}.`, baseUrl)
    if (!isFresh(signIn)) {
      // Calls that are made at once share what one of them gets.
      renewing ??= renew(io, baseUrl).finally(() => (renewing = undefined))
      signIn = await renewing
    }
    return signIn.accessToken
  }
}

function isFresh({ expiresAt }: StoredSignIn): boolean {
  return expiresAt - margin > Date.now()
}

function renew(io: Io, baseUrl: string): Promise<StoredSignIn> {
  return changeCredentials(io, async ({ servers }) => {
    const last = servers[baseUrl]
    if (last === undefined) throw notSignedIn(`You are not signed in to ${baseUrl}.`, baseUrl)
    // Another command may have been first.
    if (isFresh(last)) return last
    const ended = (cause?: unknown) =>
      notSignedIn(`Your sign-in to ${baseUrl} has ended.`, baseUrl, cause)
    if (last.refreshToken === undefined) throw ended()
    const provider = await findProvider(last.authority, last.clientId)
    const { server, client, request } = provider
    const token = last.refreshToken
    try {
      const none = oauth.None()
      const reply = await oauth.refreshTokenGrantRequest(server, client, none, token, request)
      const tokens = await oauth.processRefreshTokenResponse(server, client, reply)
      const next = { ...last, ...signInOf(provider, tokens) }
      servers[baseUrl] = next
      return next
    } catch (error) {
      if (error instanceof oauth.ResponseBodyError && error.status < 500) throw ended(error)
      throw new CommandError(`${last.authority} cannot be reached. Try again later.`, {
        cause: error,
        exitCode: 7,
      })
    }
  })
}

function notSignedIn(what: string, baseUrl: string, cause?: unknown): CommandError {
  const how = `Sign in with \`vitrine login --server ${baseUrl}\`, or set VITRINE_TOKEN.`
  return new CommandError(`${what} ${how}`, { cause, exitCode: 3 })
}
