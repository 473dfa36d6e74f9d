import { counted } from '../command/table.ts'
import { defineCommand, UsageError } from '../command/command.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { confirmByName } from './confirm-by-name.ts'
import { findDeleted, openDeleted } from './deleted.ts'

export const deletedPurge = defineCommand({
  usage: '<dataset> [--yes] [--server <address>] [--json]',
  summary: 'Remove a deleted dataset for good, by its name or its number',
  details:
    'On a terminal it asks you to type the name; elsewhere it needs --yes. This cannot be undone. What\n' +
    'refers to it is to be removed before it.',
  examples: [
    ['deleted purge cats', 'asks, then removes'],
    ['deleted purge 12 --yes', 'does not ask'],
  ],
  positionals: 1,
  options: { ...serverOptions, yes: { type: 'boolean', short: 'y' }, json: { type: 'boolean' } },
  run: async (invocation) => {
    const [meant = ''] = invocation.positionals
    const { yes, json } = invocation.values
    if (yes !== true && invocation.io.stdin.isTTY !== true) {
      throw new UsageError('There is no terminal to ask on: give --yes to remove it.')
    }
    const client = await openDeleted(invocation)
    const { id: deletedId, name, items } = await findDeleted(client, meant)
    if (yes !== true) {
      const what =
        items === undefined ? `the view ${name}` : `${name} with its ${counted(items, 'item')}`
      await confirmByName(`This removes ${what} for good.`, {
        name,
        nothingDone: 'Nothing was removed.',
        io: invocation.io,
      })
    }
    await client.deletedRemove({ deletedId })
    invocation.io.console.log(
      json === true ? JSON.stringify({ removed: deletedId, name }) : `Removed ${name} for good.`,
    )
  },
})
