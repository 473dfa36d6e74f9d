import type { Command } from '../command.ts'
import { pagesOf } from '../pages-of.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { printTable } from '../table.ts'
import { openDeleted } from './open-deleted.ts'

export const deleted: Command = {
  usage: '[--server <address>] [--json]',
  summary: 'List the deleted datasets that you may take back',
  details:
    'They are those that you have deleted, and for administrators all. After the day under UNTIL they are\n' +
    'removed for good (docs/deleted.md).',
  examples: [
    ['deleted', 'number, name, items, who deleted it, when, and until when it can be taken back'],
    ['deleted restore cats', 'takes one back'],
  ],
  positionals: 0,
  options: { ...serverOptions, json: { type: 'boolean' } },
  run: async (given) => {
    const { io, values } = given
    const client = await openDeleted(given)
    const datasets = await Array.fromAsync(pagesOf((page) => client.deletedList(page)))
    if (values['json'] === true) {
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
}
