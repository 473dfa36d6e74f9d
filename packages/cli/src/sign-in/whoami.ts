import type { Client } from '@vitrine/client'
import type { DatasetRole, Feature } from '@vitrine/contract'
import { defineCommand } from '../command/command.ts'
import { readCredentials } from './credentials.ts'
import { openClient } from './open-client.ts'
import { serverOptions } from './runtime-config.ts'

export const whoami = defineCommand({
  usage: '[--on <dataset>] [--server <address>] [--json]',
  summary: 'Say who you are to a server, and what you may do',
  examples: [
    ['whoami', 'who you are to the server that was signed in to last'],
    ['whoami --on cats', 'your role on a dataset, and who owns it'],
    ['whoami --json | jq -r .username', 'the name, for another program'],
  ],
  positionals: 0,
  options: { ...serverOptions, on: { type: 'string' }, json: { type: 'boolean' } },
  run: async (invocation) => {
    const { io, values } = invocation
    const { client, features } = await openClient(invocation)
    await client.datasetList({ pageSize: 1 })
    const { on: datasetId } = values
    const access = datasetId === undefined ? undefined : await accessTo(client, datasetId, features)
    const { isAdministrator, mayCreate, groups, groupsOmitted } = features.includes('audit')
      ? await client.whoAmI({})
      : {}
    const server = client.options.baseUrl
    // Only its provider knows whose a token is.
    const byToken = Boolean(io.env['VITRINE_TOKEN'])
    const stored = byToken ? undefined : (await readCredentials(io)).servers[server]
    const { username, authority } = stored ?? {}
    if (values.json) {
      const me = { server, username, authority, byToken, isAdministrator, mayCreate, groups }
      io.console.log(JSON.stringify({ ...me, ...access }))
      return
    }
    const who = username === undefined ? 'by VITRINE_TOKEN' : `as ${username}, of ${authority}`
    io.console.log(`Signed in to ${server} ${byToken ? 'by VITRINE_TOKEN' : who}.`)
    if (isAdministrator) io.console.log('You are an administrator of it.')
    if (mayCreate === false) io.console.log('You may not create datasets there.')
    if (groups !== undefined && groups.length > 0) {
      io.console.log(`Your groups are ${groups.join(', ')}.`)
    }
    if (groupsOmitted) {
      io.console.error('Your provider did not list your groups in the token: none of them counts.')
    }
    if (access !== undefined) {
      const names = access.owners.map(({ name, subject }) => name ?? subject)
      const owned = names.length === 0 ? '' : `; it is owned by ${names.join(', ')}`
      const by = access.group === undefined ? '' : ` by the group ${access.group}`
      io.console.log(`On ${datasetId} you are ${access.role}${by}${owned}.`)
    }
  },
})

/** Everybody may do everything at a server without roles. */
async function accessTo(
  client: Client,
  datasetId: string,
  features: readonly Feature[],
): Promise<DatasetRole> {
  if (features.includes('roles')) return client.datasetRole({ datasetId })
  await client.datasetGet({ datasetId })
  return { role: 'owner', owners: [] }
}
