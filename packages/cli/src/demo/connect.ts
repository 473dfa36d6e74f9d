import { ApiError, createClient } from '@vitrine/client'
import type { RuntimeConfig } from '@vitrine/contract'
import { readConfig } from '@vitrine/server/config'
import { issueLocalToken } from '@vitrine/server/local-token'
import { CommandError } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { readCredentials } from '../sign-in/credentials.ts'
import type { OpenedClient } from '../sign-in/open-client.ts'
import { readRuntimeConfig } from '../sign-in/runtime-config.ts'
import { storedToken } from '../sign-in/stored-token.ts'
import { withAccounts } from '../users/accounts.ts'

export type Connect = {
  io: Io
  /** The server's root, such as `http://localhost:8080`. */
  server: string
  /** The account to act as, by the keys of this machine's server. */
  username: string | undefined
  /** An access token that was had elsewhere. */
  token: string | undefined
}

/** Life of a token issued here, in seconds, and how long before its end another one is issued. */
const tokenSeconds = 300
const renewSeconds = 60

/**
 * A client that is signed in to a running server: with the given token, as the account that is signed in
 * to it, or else with tokens of the built-in provider, whose keys are in this machine's data folder.
 * @throws CommandError when no server answers or no token can be had
 */
export async function connect({ io, server, username, token }: Connect): Promise<OpenedClient> {
  const config = await readRuntimeConfig(server)
  const { apiBaseUrl: baseUrl, features } = config
  if (token !== undefined) {
    return { client: createClient({ baseUrl, token: () => token }), features }
  }
  const isSignedIn = (await readCredentials(io)).servers[baseUrl] !== undefined
  if (username === undefined && isSignedIn) {
    return { client: createClient({ baseUrl, token: storedToken(io, baseUrl) }), features }
  }

  const issue = localIssue(config, io, username ?? 'admin')
  let issued: { token: Promise<string>; until: number } | undefined
  const client = createClient({
    baseUrl,
    token: () => {
      if (issued === undefined || issued.until < Date.now()) {
        issued = { token: issue(), until: Date.now() + (tokenSeconds - renewSeconds) * 1000 }
      }
      return issued.token
    },
  })
  await client.datasetList({ pageSize: 1 }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    throw new CommandError(
      `${baseUrl} does not take a token made with the keys in ${readConfig(io.env).dataDir}: ` +
        'set VITRINE_DATA_DIR as for the server, or give a token with --token.',
      { cause: error },
    )
  })
  return { client, features }
}

function localIssue(
  { authority, apiBaseUrl, clientId, scope }: RuntimeConfig,
  io: Pick<Io, 'env'>,
  username: string,
): () => Promise<string> {
  if (authority !== `${apiBaseUrl}/realms/local`) {
    throw new CommandError(
      `People sign in at ${authority}: do so with \`vitrine login --server ${apiBaseUrl}\`, or give a token with --token.`,
    )
  }
  const { oidc } = readConfig(io.env)
  const to = {
    username,
    issuer: authority,
    audience: oidc.audience ?? `${apiBaseUrl}/api`,
    clientId,
    scope,
    seconds: tokenSeconds,
  }
  return () => withAccounts(io, (store) => issueLocalToken(store, to))
}
