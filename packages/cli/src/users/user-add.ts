import { addAccount } from '@vitrine/server/accounts'
import { askPassword, passwordNote, passwordOptions, withAccounts } from './accounts.ts'
import { defineCommand } from '../command/command.ts'

export const userAdd = defineCommand({
  usage: '<username> [--generate | --password-stdin]',
  summary: 'Add an account',
  examples: [
    ['user add alice', 'asks for the password, twice'],
    [
      'user add alice --generate',
      'makes one up and prints it; alice changes it at the first sign-in',
    ],
    ['user add alice --password-stdin < password.txt', 'reads it, in a script'],
  ],
  positionals: 1,
  options: passwordOptions,
  run: async (invocation) => {
    const [username = ''] = invocation.positionals
    const input = await askPassword(invocation)
    await withAccounts(invocation.io, async (store) => {
      const name = await addAccount(store, { username, ...input })
      invocation.io.console.log(`Added ${name}.${passwordNote(input)}`)
    })
  },
})
