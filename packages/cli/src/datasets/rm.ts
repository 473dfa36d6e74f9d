import { deleteDataset } from '@vitrine/client'
import { defineCommand, CommandError, UsageError } from '../command/command.ts'
import { counted } from '../command/table.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { confirmByName } from './confirm-by-name.ts'

export const rm = defineCommand({
  usage: '<dataset> [--yes] [--json]',
  summary: 'Delete a dataset: a repository with its items, or a view',
  details:
    'On a terminal it asks you to type the name; elsewhere it needs --yes. A dataset that others refer to\n' +
    'is not deleted. `vitrine deleted` lists what can be taken back.',
  examples: [
    ['rm cats-train', 'asks, then deletes'],
    ['rm cats-train --yes', 'does not ask'],
  ],
  positionals: 1,
  options: { ...serverOptions, yes: { type: 'boolean', short: 'y' }, json: { type: 'boolean' } },
  run: async (invocation) => {
    const [datasetId = ''] = invocation.positionals
    const { yes, json } = invocation.values
    if (yes !== true && invocation.io.stdin.isTTY !== true) {
      throw new UsageError('There is no terminal to ask on: give --yes to delete it.')
    }
    const { client } = await openClient(invocation)
    const info = await client.datasetGet({ datasetId })
    if (info.referencedBy.length > 0) {
      throw new CommandError(
        `${datasetId} is referred to by ${info.referencedBy.join(', ')}. Delete those first, or keep it.`,
        { exitCode: 5 },
      )
    }
    if (yes !== true) {
      const { totalItems } = await client.datasetCount({ datasetId })
      const items = counted(totalItems, 'item')
      const what =
        info.view === undefined
          ? `the repository ${datasetId} with its ${items}`
          : `the view ${datasetId}; its ${items} stay in ${info.view.base}`
      await confirmByName(`This deletes ${what}.`, {
        name: datasetId,
        nothingDone: 'Nothing was deleted.',
        io: invocation.io,
      })
    }
    await deleteDataset(client, info)
    invocation.io.console.log(
      json === true ? JSON.stringify({ deleted: datasetId }) : `Deleted ${datasetId}.`,
    )
  },
})
