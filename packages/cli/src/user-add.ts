import { addAccount } from '@vitrine/server/accounts'
import { askPassword, passwordOptions } from './ask-password.ts'
import type { Command } from './command.ts'
import { withAccounts } from './with-accounts.ts'

export const userAdd: Command = {
  usage: '<username> [--password-stdin]',
  summary: 'Add an account',
  examples: [
    ['user add alice', 'asks for the password, twice'],
    ['user add alice --password-stdin < password.txt', 'reads it, in a script'],
  ],
  positionals: 1,
  options: passwordOptions,
  run: async (given) => {
    const [username = ''] = given.positionals
    const password = await askPassword(given)
    await withAccounts(given.io, async (store) => {
      given.io.console.log(`Added ${await addAccount(store, { username, password })}.`)
    })
  },
}
