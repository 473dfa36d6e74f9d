import { defineCommand } from '../command/command.ts'
import { readCredentials } from './credentials.ts'
import { openClient } from './open-client.ts'
import { serverOptions } from './runtime-config.ts'

export const whoami = defineCommand({
  usage: '[--server <address>] [--json]',
  summary: 'Say who you are to a server, and whether it takes your sign-in',
  examples: [
    ['whoami', 'who you are to the server that was signed in to last'],
    ['whoami --json | jq -r .username', 'the name, for another program'],
  ],
  positionals: 0,
  options: { ...serverOptions, json: { type: 'boolean' } },
  run: async (invocation) => {
    const { io, values } = invocation
    const { client } = await openClient(invocation)
    await client.datasetList({ pageSize: 1 })
    const server = client.options.baseUrl
    // Only its provider knows whose a token is.
    const byToken = Boolean(io.env['VITRINE_TOKEN'])
    const stored = byToken ? undefined : (await readCredentials(io)).servers[server]
    const { username, authority } = stored ?? {}
    if (values.json) {
      io.console.log(JSON.stringify({ server, username, authority, byToken }))
      return
    }
    const who = username === undefined ? 'by VITRINE_TOKEN' : `as ${username}, of ${authority}`
    io.console.log(`Signed in to ${server} ${byToken ? 'by VITRINE_TOKEN' : who}.`)
  },
})
