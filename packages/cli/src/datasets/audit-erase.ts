import { CommandError, defineCommand, UsageError } from '../command/command.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { confirmByName } from './confirm-by-name.ts'

export const auditErase = defineCommand({
  usage: '<subject> [--yes] [--json]',
  summary: 'Erase the name of a person who is gone, for administrators',
  details:
    'The person is shown by their subject from then on, in the audit log as well, which still verifies: what is\n' +
    'left of its entries is proven by an entry of its own. Backups and exports made before keep the name, and who\n' +
    'signs in again is called by it again (docs/audit.md). On a terminal it asks you to type the subject;\n' +
    'elsewhere it needs --yes.',
  examples: [['audit erase 248289761001 --yes', 'erases what this person was called']],
  positionals: 1,
  options: { ...serverOptions, yes: { type: 'boolean', short: 'y' }, json: { type: 'boolean' } },
  run: async (invocation) => {
    const [subject = ''] = invocation.positionals
    const { yes, json } = invocation.values
    const { io } = invocation
    if (yes !== true && io.stdin.isTTY !== true) {
      throw new UsageError('There is no terminal to ask on: give --yes to erase the name.')
    }
    const { client, features } = await openClient(invocation)
    if (!features.includes('audit')) {
      throw new CommandError(`${client.options.baseUrl} keeps no audit log.`)
    }
    if (yes !== true) {
      await confirmByName(`This erases what the person ${subject} is called.`, {
        name: subject,
        nothingDone: 'Nothing was erased.',
        io,
      })
    }
    const { entries } = await client.nameErase({ body: { subject } })
    io.console.log(
      json === true
        ? JSON.stringify({ subject, entries })
        : `${subject} is shown without a name. Entries of the audit log that had it: ${entries}.`,
    )
  },
})
