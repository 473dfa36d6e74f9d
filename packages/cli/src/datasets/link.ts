import { type Client, callUrl } from '@vitrine/client'
import { type ExportFormat, api, exportFormatNames, stateName } from '@vitrine/contract'
import { CommandError, defineCommand, type Invocation, UsageError } from '../command/command.ts'
import { printTable } from '../command/table.ts'
import { type OpenedClient, openClient, pagesOf } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { type NamedState, readNamedState, requireStates } from './named-state.ts'

export const linkCreate = defineCommand({
  usage:
    '<dataset>[@<items>] --name <name> [--expires <when>] [--format <format>]\n' +
    '                           [--server <address>] [--json]',
  summary: 'Create a link that reads a dataset, or one state of it, without a sign-in',
  details:
    'Its address is printed once. Whoever has it reads the dataset in your place until it expires, after so many\n' +
    'hours or days (12h, 7d; at most 30d, and 7d unless said otherwise), or is revoked (docs/links.md).\n' +
    `--format says what is at the address: ${exportFormatNames.join(', ')}, which\n` +
    'are exports, csv unless said otherwise; or snapshot, a Parquet file that programs read in parts, which is of\n' +
    'one state. Creating one takes a sign-in by `vitrine login`.',
  examples: [
    ['link create cats@1200 --name "review"', 'the first 1,200 items as CSV, for a week'],
    [
      'link create cats@1200 --name notebook --format snapshot',
      'the same as Parquet, for Polars or DuckDB',
    ],
    [
      'link create cats --name partner --format xlsx --expires 30d',
      'a workbook of the items of then',
    ],
  ],
  positionals: 1,
  options: {
    ...serverOptions,
    name: { type: 'string' },
    expires: { type: 'string' },
    format: { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async (invocation) => {
    const { io, values } = invocation
    const state = readNamedState(invocation.positionals[0])
    const { name, expires = '7d', format = 'csv' } = values
    if (name === undefined) throw new UsageError('Missing --name <name>.')
    const hours = hoursOf(expires)
    const addressOf = addressFor(format, state)
    const opened = await openLinks(invocation)
    requireStates(opened, state)
    const { client } = opened
    const { datasetId, at } = state
    const body = { name, hours, ...(at !== undefined && { at }) }
    const created = await client.linkCreate({ datasetId, body })
    const url = addressOf(client, created.link)
    if (values.json) {
      io.console.log(JSON.stringify({ ...created, url }))
      return
    }
    io.console.log(url)
    const until = created.expiresAt.slice(0, 16).replace('T', ' ')
    io.console.error(
      `Keep it now: it is not shown again. Whoever has it may read until ${until} UTC.`,
    )
  },
})

export const linkList = defineCommand({
  usage: '<dataset> [--server <address>] [--json]',
  summary: 'List links to a dataset, yours, or all where you own it, and when each was last used',
  examples: [['link list cats', 'number, name, state, creator, creation, expiry and last use']],
  positionals: 1,
  options: { ...serverOptions, json: { type: 'boolean' } },
  run: async (invocation) => {
    const { io, values } = invocation
    const [datasetId = ''] = invocation.positionals
    const { client } = await openLinks(invocation)
    const links = await listLinks(client, datasetId)
    if (values.json) {
      for (const link of links) io.console.log(JSON.stringify(link))
      return
    }
    const moment = (iso: string) => iso.slice(0, 16).replace('T', ' ')
    printTable(
      io,
      ['id', 'name', 'state', 'by', 'created', 'expires', 'last used'],
      links.map(({ id, name, at, by, createdAt, expiresAt, usedAt }) => [
        String(id),
        name,
        at === null ? 'now' : String(at),
        by.name ?? by.subject,
        moment(createdAt),
        moment(expiresAt),
        usedAt === null ? 'never' : moment(usedAt),
      ]),
    )
  },
})

export const linkRevoke = defineCommand({
  usage: '<dataset> <link> [--server <address>] [--json]',
  summary: 'Revoke a link to a dataset, by its number or its name',
  details: 'It opens nothing from that moment on. This cannot be undone.',
  examples: [
    ['link revoke cats 12', 'the link that `vitrine link list cats` shows with this number'],
    ['link revoke cats review', 'the link of this name'],
  ],
  positionals: 2,
  options: { ...serverOptions, json: { type: 'boolean' } },
  run: async (invocation) => {
    const [datasetId = '', meant = ''] = invocation.positionals
    const { client } = await openLinks(invocation)
    const links = await listLinks(client, datasetId)
    const named = links.filter(({ name }) => name === meant)
    const link = links.find(({ id }) => String(id) === meant) ?? named[0]
    if (link === undefined) {
      const hint = `\`vitrine link list ${datasetId}\` lists them.`
      throw new CommandError(`There is no link ${meant} to ${datasetId}. ${hint}`, { exitCode: 4 })
    }
    if (named.length > 1 && String(link.id) !== meant) {
      const ids = named.map(({ id }) => id).join(', ')
      const message = `Several links are named ${meant}: give the number of one, of ${ids}.`
      throw new CommandError(message, { exitCode: 5 })
    }
    await client.linkRevoke({ datasetId, linkId: link.id })
    invocation.io.console.log(
      invocation.values.json
        ? JSON.stringify({ revoked: link.id, name: link.name })
        : `Revoked ${link.name}, number ${link.id}.`,
    )
  },
})

/** @throws CommandError when the server has no links, or none answers */
async function openLinks(invocation: Invocation<typeof serverOptions>): Promise<OpenedClient> {
  const opened = await openClient(invocation)
  if (!opened.features.includes('links')) {
    throw new CommandError(`${opened.client.options.baseUrl} has no signed links.`)
  }
  return opened
}

function listLinks(client: Client, datasetId: string) {
  return Array.fromAsync(pagesOf((page) => client.linkList({ datasetId, ...page })))
}

/** Returns what writes the address that a new link opens. */
function addressFor(
  format: string,
  { datasetId, at }: NamedState,
): (client: Client, link: string) => string {
  if (format === 'snapshot') {
    if (at === undefined) throw new UsageError('A snapshot is of one state, such as cats@1200.')
    const input = { datasetId: stateName({ name: datasetId, at }) }
    return ({ options }, link) => callUrl(options, api.datasetSnapshotFile, { ...input, link })
  }
  if (!exportFormatNames.some((each: ExportFormat) => each === format)) {
    throw new UsageError(`--format is one of ${exportFormatNames.join(', ')}, snapshot.`)
  }
  return ({ options }, link) => callUrl(options, api.datasetExport, { datasetId, format, at, link })
}

function hoursOf(expires: string): number {
  const [, count, unit] = /^(\d{1,4})([hd])$/.exec(expires) ?? []
  if (count === undefined) {
    throw new UsageError('--expires is a number of hours or days, such as 12h or 7d.')
  }
  return Number(count) * (unit === 'd' ? 24 : 1)
}
