import { deleteDataset } from '@vitrine/client'
import { ask } from '../ask.ts'
import { type Command, CommandError, UsageError } from '../command.ts'
import { counted } from '../counted.ts'
import type { Io } from '../io.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'

export const rm: Command = {
  usage: '<dataset> [--yes] [--json]',
  summary: 'Delete a dataset: a repository with its items, or a view',
  details:
    'On a terminal it asks you to type the name; elsewhere it needs --yes. A dataset that others refer to\n' +
    'is not deleted.',
  examples: [
    ['rm cats-train', 'asks, then deletes'],
    ['rm cats-train --yes', 'does not ask'],
  ],
  positionals: 1,
  options: { ...serverOptions, yes: { type: 'boolean', short: 'y' }, json: { type: 'boolean' } },
  run: async (given) => {
    const [datasetId = ''] = given.positionals
    const { yes, json } = given.values
    if (yes !== true && given.io.stdin.isTTY !== true) {
      throw new UsageError('There is no terminal to ask on: give --yes to delete it.')
    }
    const { client } = await openClient(given)
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
      await confirm(`This deletes ${what}.`, datasetId, given.io)
    }
    await deleteDataset(client, info)
    given.io.console.log(
      json === true ? JSON.stringify({ deleted: datasetId }) : `Deleted ${datasetId}.`,
    )
  },
}

async function confirm(what: string, name: string, io: Io): Promise<void> {
  const typed = await ask(`${what} Type its name to go on: `, io)
  if (typed === undefined) throw new CommandError('\nNothing was deleted.', { exitCode: 130 })
  if (typed.trim() !== name) throw new CommandError('That is another name. Nothing was deleted.')
}
