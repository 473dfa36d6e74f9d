import { defineCommand } from '../command/command.ts'
import { printTable } from '../command/table.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { listGrants, nameText, openRoles, principalText } from './grant.ts'

const byConfiguration = 'by the configuration of the server'

export const who = defineCommand({
  usage: '<dataset> [--server <address>] [--json]',
  summary: 'List who may do what on a dataset, and why',
  details: 'Administrators of the server own every dataset and are not listed.',
  examples: [
    ['who photos', 'who, role, and who gave it when'],
    ['who photos --json | jq -r "select(.role == \\"owner\\").person.subject"', 'its owners'],
  ],
  positionals: 1,
  options: { ...serverOptions, json: { type: 'boolean' } },
  run: async (invocation) => {
    const { io, values } = invocation
    const [datasetId = ''] = invocation.positionals
    const client = await openRoles(invocation)
    const { creator, everyone, groups } = await client.grantList({ datasetId, pageSize: 1 })
    const grants = await listGrants(client, datasetId)
    const isReplaced = grants.some((grant) => grant.everyone)
    if (values.json) {
      const print = (line: object) => io.console.log(JSON.stringify(line))
      print({ person: creator, role: 'owner', source: 'creator' })
      for (const grant of grants) print({ ...grant, source: 'grant' })
      for (const role of groups) print({ ...role, source: 'configuration' })
      if (!isReplaced) print({ everyone: true, role: everyone, source: 'configuration' })
      return
    }
    printTable(
      io,
      ['who', 'role', 'why'],
      [
        [nameText(creator), 'owner', 'created it'],
        ...grants.map((grant) => [
          principalText(grant),
          grant.role,
          `given by ${nameText(grant.by)}, ${grant.since.slice(0, 10)}`,
        ]),
        ...groups.map(({ group, role }) => [principalText({ group }), role, byConfiguration]),
        ...(isReplaced ? [] : [['everybody', everyone, byConfiguration]]),
      ],
    )
  },
})
