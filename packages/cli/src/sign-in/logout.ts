import * as oauth from 'oauth4webapi'
import { defineCommand } from '../command/command.ts'
import { changeCredentials, type StoredSignIn } from './credentials.ts'
import { findProvider } from './provider.ts'
import { serverOf, serverOptions } from './runtime-config.ts'

export const logout = defineCommand({
  usage: '[--server <address>] [--json]',
  summary: 'End the sign-in to a server',
  examples: [['logout', 'sign out of the server that was signed in to last']],
  positionals: 0,
  options: { ...serverOptions, json: { type: 'boolean' } },
  run: async (invocation) => {
    const server = (await serverOf(invocation)).replace(/\/+$/, '')
    const ended = await changeCredentials(invocation.io, async (credentials) => {
      const signIn = credentials.servers[server]
      delete credentials.servers[server]
      if (credentials.current === server) delete credentials.current
      return signIn
    })
    const revoked = ended !== undefined && (await revoke(ended))
    if (invocation.values.json) {
      invocation.io.console.log(JSON.stringify({ server, signedOut: ended !== undefined, revoked }))
    } else if (ended === undefined) {
      invocation.io.console.log(`You were not signed in to ${server}.`)
    } else {
      const reason = ` ${ended.authority} could not be told; its token runs out by itself.`
      invocation.io.console.log(`Signed out of ${server}.${revoked ? '' : reason}`)
    }
  },
})

/** The token is gone from this computer; that the provider forgets it as well is tried once. */
async function revoke({ authority, clientId, ...tokens }: StoredSignIn): Promise<boolean> {
  try {
    const { server, client, request } = await findProvider(authority, clientId)
    const token = tokens.refreshToken ?? tokens.accessToken
    const reply = await oauth.revocationRequest(server, client, oauth.None(), token, request)
    await oauth.processRevocationResponse(reply)
    return true
  } catch {
    return false
  }
}
