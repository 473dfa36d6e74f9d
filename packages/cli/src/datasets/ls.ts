import type { Client } from '@vitrine/client'
import { limits, type Exploration } from '@vitrine/contract'
import { parse } from 'yaml'
import { type Command, CommandError, UsageError } from '../command.ts'
import type { Io } from '../io.ts'
import { type Page, pagesOf } from '../pages-of.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { printTable } from '../table.ts'

export const ls: Command = {
  usage:
    '[<dataset>] [--repos | --views] [--where <condition>] [--order <paths>] [--limit <number>] [--json]',
  summary: 'List the datasets of a server, or the items of one',
  details:
    'Lines are written as pages of them arrive. Where the output is no terminal, each is one line with\n' +
    'tabs between its columns. --where and --order take, of the items of a dataset, what a view takes\n' +
    '(docs/views.md): a condition as YAML or JSON, and paths with commas between them.',
  examples: [
    ['ls', 'all datasets, the newest first'],
    ['ls --views', 'views, with what they are derived from'],
    ['ls cats --limit 10', 'the first ten items of cats'],
    [
      `ls cats --where 'name: { icontains: tom }' --order=-createdAt`,
      'some of them, the newest first',
    ],
    ['ls cats --json | jq .data.name', 'one field of every item'],
  ],
  positionals: { from: 0, to: 1 },
  options: {
    ...serverOptions,
    repos: { type: 'boolean' },
    views: { type: 'boolean' },
    where: { type: 'string' },
    order: { type: 'string' },
    limit: { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async (given) => {
    const { values, positionals } = given
    const [datasetId] = positionals
    const { repos, views, json } = values
    const limit = limitOf(values['limit'] as string | undefined)
    const kinds = [repos, views, datasetId !== undefined].filter(Boolean)
    if (kinds.length > 1) throw new UsageError('Of a dataset, --repos and --views, name one.')
    const asked = explorationOf(values as Record<string, string | undefined>)
    const isAsked = asked.where !== undefined || asked.order !== undefined
    if (isAsked && datasetId === undefined) {
      throw new UsageError('--where and --order are for the items of a dataset: name it.')
    }
    const { client, features } = await openClient(given)
    if (isAsked && !features.includes('explore')) {
      throw new CommandError(`${client.options.baseUrl} takes no --where and no --order.`)
    }
    const shown = { io: given.io, limit, asked, asJson: json === true }
    if (datasetId !== undefined) return listItems(client, datasetId, shown)
    if (views === true) return listEntries(client.viewList, ['name', 'base', 'createdAt'], shown)
    return listEntries(repos === true ? client.repoList : client.datasetList, entryKeys, shown)
  },
}

/** How many are shown, and how. */
type Shown = { io: Io; limit: number; asked: Exploration; asJson: boolean }

const entryKeys = ['name', 'createdAt'] as const

function listEntries<T extends Record<K, string>, K extends string>(
  list: (input: Page) => Promise<T[]>,
  keys: readonly K[],
  shown: Shown,
): Promise<void> {
  return print(pagesOf(list), {
    ...shown,
    names: keys,
    row: (entry) => keys.map((key) => entry[key]),
  })
}

async function listItems(client: Client, datasetId: string, shown: Shown): Promise<void> {
  const { schema } = await client.datasetGet({ datasetId })
  const names = schema.map(({ name }) => name)
  const pageSize = Math.max(1, Math.min(shown.limit, limits.pageSizeMax))
  await print(client.items(datasetId, { pageSize, ...shown.asked }), {
    ...shown,
    names: ['id', ...names],
    row: ({ id, data }) => [String(id), ...names.map((name) => String(data[name] ?? ''))],
  })
}

async function print<T>(
  source: AsyncIterable<T>,
  {
    io,
    limit,
    asJson,
    names,
    row,
  }: Shown & { names: readonly string[]; row: (one: T) => readonly string[] },
): Promise<void> {
  for await (const batch of batches(take(limit, source))) {
    if (asJson) for (const each of batch) io.console.log(JSON.stringify(each))
    else printTable(io, names, batch.map(row))
  }
}

/** What --where and --order ask; the server says what is wrong with a condition. */
function explorationOf({ where, order }: Record<string, string | undefined>): Exploration {
  return {
    ...(where !== undefined && { where: conditionOf(where) }),
    ...(order !== undefined && { order: order.split(',').map((path) => path.trim()) }),
  }
}

/** JSON is YAML as well. */
function conditionOf(text: string): Exploration['where'] {
  try {
    const condition = parse(text) as unknown
    if (typeof condition === 'object' && condition !== null)
      return condition as Exploration['where']
  } catch {
    // Said below.
  }
  throw new UsageError('--where takes a condition, such as "name: { icontains: tom }".')
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return Infinity
  if (!/^\d{1,15}$/.test(text)) throw new UsageError('--limit takes a number.')
  return Number(text)
}

async function* take<T>(count: number, source: AsyncIterable<T>): AsyncGenerator<T> {
  if (count === 0) return
  let taken = 0
  for await (const each of source) {
    yield each
    taken += 1
    if (taken >= count) return
  }
}

/** As many as are shown at once: columns are as wide as these need. */
async function* batches<T>(source: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = []
  for await (const each of source) {
    batch.push(each)
    if (batch.length < limits.pageSizeMax) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
