import { removeAccount } from '@vitrine/server/accounts'
import { defineCommand } from '../command/command.ts'
import { withAccounts } from './accounts.ts'

export const userRemove = defineCommand({
  usage: '<username>',
  summary: 'Remove an account and end its sessions',
  examples: [['user remove alice', 'what alice added stays']],
  positionals: 1,
  options: {},
  run: async ({ positionals: [username = ''], io }) => {
    await withAccounts(io, async (store) => {
      await removeAccount(store, username)
      io.console.log(`Removed ${username}. Its sessions have ended.`)
    })
  },
})
