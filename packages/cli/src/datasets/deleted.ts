import type { Client } from '@vitrine/client'
import type { DeletedDataset } from '@vitrine/contract'
import { defineCommand, type Invocation, CommandError } from '../command/command.ts'
import { openClient, pagesOf } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { printTable } from '../command/table.ts'

export const deleted = defineCommand({
  usage: '[--server <address>] [--json]',
  summary: 'List the deleted datasets that you may take back',
  details:
    'They are those that you have deleted or own, and for administrators all. After the day under UNTIL they\n' +
    'are removed for good (docs/deleted.md).',
  examples: [
    ['deleted', 'number, name, items, who deleted it, when, and until when it can be taken back'],
    ['deleted restore cats', 'takes one back'],
  ],
  positionals: 0,
  options: { ...serverOptions, json: { type: 'boolean' } },
  run: async (invocation) => {
    const { io, values } = invocation
    const client = await openDeleted(invocation)
    const datasets = await Array.fromAsync(pagesOf((page) => client.deletedList(page)))
    if (values.json) {
      for (const dataset of datasets) io.console.log(JSON.stringify(dataset))
      return
    }
    printTable(
      io,
      ['id', 'name', 'items', 'deleted by', 'deleted', 'until'],
      datasets.map(({ id, name, items, deletedBy, deletedAt, removedAt }) => [
        String(id),
        name,
        items === undefined ? 'view' : String(items),
        deletedBy.name ?? deletedBy.subject,
        deletedAt.slice(0, 16).replace('T', ' '),
        removedAt.slice(0, 10),
      ]),
    )
  },
})

/** A client of a server where deleted datasets can be taken back. */
export async function openDeleted(invocation: Invocation<typeof serverOptions>): Promise<Client> {
  const { client, features } = await openClient(invocation)
  if (!features.includes('deleted')) {
    throw new CommandError(`${client.options.baseUrl} does not keep what is deleted.`)
  }
  return client
}

/** Finds the deleted dataset that is meant, by its number or by the name that it had. */
export async function findDeleted(client: Client, meant: string): Promise<DeletedDataset> {
  const deleted = await Array.fromAsync(pagesOf((page) => client.deletedList(page)))
  const numbered = deleted.find(({ id }) => String(id) === meant)
  const named = deleted.filter(({ name }) => name === meant)
  const dataset = numbered ?? named[0]
  if (dataset === undefined) {
    throw new CommandError(
      `There is no deleted dataset ${meant} that you may take back. \`vitrine deleted\` lists them.`,
      { exitCode: 4 },
    )
  }
  if (numbered === undefined && named.length > 1) {
    const ids = named.map(({ id }) => id).join(', ')
    throw new CommandError(
      `Several deleted datasets had the name ${meant}: give the number of one, of ${ids}.`,
      { exitCode: 5 },
    )
  }
  return dataset
}
