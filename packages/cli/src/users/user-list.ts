import { accountList } from '@vitrine/server/accounts'
import { defineCommand } from '../command/command.ts'
import { withAccounts } from './accounts.ts'

export const userList = defineCommand({
  usage: '[--json]',
  summary: 'List the accounts',
  examples: [
    ['user list', 'every account, and since when'],
    ['user list --json | jq -r .username', 'their names, for another program'],
  ],
  positionals: 0,
  options: { json: { type: 'boolean' } },
  run: async ({ values, io }) => {
    await withAccounts(io, async (store) => {
      const accounts = await accountList(store)
      if (values.json) {
        for (const account of accounts) io.console.log(JSON.stringify(account))
      } else if (accounts.length === 0) {
        io.console.log('There are no accounts yet: the first start of the server adds one.')
      } else {
        const width = Math.max(...accounts.map(({ username }) => username.length))
        for (const { username, createdAt } of accounts) {
          io.console.log(`${username.padEnd(width)}  added ${createdAt.slice(0, 10)}`)
        }
      }
    })
  },
})
