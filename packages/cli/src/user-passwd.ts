import { changePassword } from '@vitrine/server/accounts'
import { askPassword, passwordOptions } from './ask-password.ts'
import type { Command } from './command.ts'
import { withAccounts } from './with-accounts.ts'

export const userPasswd: Command = {
  usage: '<username> [--password-stdin]',
  summary: 'Change the password of an account and end its sessions',
  examples: [
    ['user passwd alice', 'asks for the new one, twice'],
    ['user passwd alice --password-stdin < password.txt', 'reads it, in a script'],
  ],
  positionals: 1,
  options: passwordOptions,
  run: async (given) => {
    const [username = ''] = given.positionals
    const password = await askPassword(given)
    await withAccounts(given.io, async (store) => {
      await changePassword(store, { username, password })
      given.io.console.log(`Changed the password of ${username}. Its sessions have ended.`)
    })
  },
}
