import { changePassword } from '@vitrine/server/accounts'
import { askPassword, passwordNote, passwordOptions, withAccounts } from './accounts.ts'
import { defineCommand } from '../command/command.ts'

export const userPasswd = defineCommand({
  usage: '<username> [--generate | --password-stdin]',
  summary: 'Change the password of an account and end its sessions',
  examples: [
    ['user passwd alice', 'asks for the new one, twice'],
    [
      'user passwd alice --generate',
      'makes one up and prints it; alice changes it at the next sign-in',
    ],
    ['user passwd alice --password-stdin < password.txt', 'reads it, in a script'],
  ],
  positionals: 1,
  options: passwordOptions,
  run: async (invocation) => {
    const [username = ''] = invocation.positionals
    const input = await askPassword(invocation)
    await withAccounts(invocation.io, async (store) => {
      await changePassword(store, { username, ...input })
      invocation.io.console.log(
        `Changed the password of ${username}. Its sessions have ended.${passwordNote(input)}`,
      )
    })
  },
})
