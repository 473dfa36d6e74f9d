import type { Client } from '@vitrine/client'
import { type DatasetQuery, type Exploration, limits, plainText } from '@vitrine/contract'
import { defineCommand, CommandError, UsageError } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { type Page, openClient, pagesOf } from '../sign-in/open-client.ts'
import { type NamedState, readNamedState, requireStates } from './named-state.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { printTable } from '../command/table.ts'
import { clauseOptions, readClauses, requireCurrent } from './read-clauses.ts'

export const ls = defineCommand({
  usage:
    '[<dataset>[@<items>]] [--repos | --views] [--find <words>] [--where <condition>] [--order <paths>] [--current] [--limit <number>] [--json]',
  summary: 'List the datasets of a server, or the items of one',
  details:
    'Lines are written as they arrive, with tabs between columns where the output is not a terminal.\n' +
    '--find lists datasets by words in their names, descriptions and fields, with how many items they have;\n' +
    'of a dataset, the items of which one text has all the words.\n' +
    '--where and --order are for the items of a dataset, and take what a view does (docs/views.md):\n' +
    'a condition as YAML or JSON, and paths separated by commas. --current leaves out what was replaced or\n' +
    'withdrawn (docs/corrections.md).\n' +
    'cats@1200 is cats as it was when its repository had 1,200 items (docs/states.md).',
  examples: [
    ['ls', 'all datasets, the newest first'],
    ['ls --views', 'views, with what they are derived from'],
    ['ls --find "lake photo"', 'datasets whose name, description or fields have these words'],
    ['ls cats --limit 10', 'the first ten items of cats'],
    ['ls cats --find "black paw"', 'items that have these words in a text'],
    [
      `ls cats --where 'name: { icontains: tom }' --order=-createdAt`,
      'some of them, the newest first',
    ],
    ['ls cats@1200 --limit 10', 'the first ten of them as they were with 1,200 items'],
    ['ls cats --json | jq .data.name', 'one field of every item'],
  ],
  positionals: { from: 0, to: 1 },
  options: {
    ...serverOptions,
    repos: { type: 'boolean' },
    views: { type: 'boolean' },
    find: { type: 'string' },
    ...clauseOptions,
    limit: { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async (invocation) => {
    const { values, positionals } = invocation
    const [named] = positionals
    const state = named === undefined ? undefined : readNamedState(named)
    const datasetId = state?.datasetId
    const { repos, views, find: q, json } = values
    const limit = limitOf(values.limit)
    const kinds = [repos, views, datasetId !== undefined].filter(Boolean)
    if (kinds.length > 1) throw new UsageError('Of a dataset, --repos and --views, name one.')
    const exploration = readClauses(values)
    const { where, order, current } = exploration
    const isExplored = where !== undefined || order !== undefined
    if ((isExplored || current === true) && datasetId === undefined) {
      throw new UsageError(
        '--where, --order and --current are for the items of a dataset: name it.',
      )
    }
    const opened = await openClient(invocation)
    const { client, features } = opened
    if (state !== undefined) requireStates(opened, state)
    if (q !== undefined && !features.includes(datasetId === undefined ? 'search' : 'q')) {
      const what = datasetId === undefined ? '' : ' for items'
      throw new CommandError(`${client.options.baseUrl} takes no --find${what}.`)
    }
    if (isExplored && !features.includes('explore')) {
      throw new CommandError(`${client.options.baseUrl} takes no --where and no --order.`)
    }
    requireCurrent(opened, current)
    const shown = { io: invocation.io, limit, asJson: json === true }
    if (state !== undefined) return listItems(client, { ...exploration, ...state, q }, shown)
    if (q !== undefined) {
      const kind = repos === true ? 'repo' : views === true ? 'view' : undefined
      return listFound(client, { q, kind }, shown)
    }
    if (views === true) return listEntries(client.viewList, ['name', 'base', 'createdAt'], shown)
    return listEntries(repos === true ? client.repoList : client.datasetList, entryKeys, shown)
  },
})

/** How many are shown, and how. */
type Shown = { io: Io; limit: number; asJson: boolean }

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

function listFound(
  client: Client,
  query: Pick<DatasetQuery, 'q' | 'kind'>,
  shown: Shown,
): Promise<void> {
  const results = pagesOf((page) => client.datasetSearch({ ...page, ...query }))
  return print(results, {
    ...shown,
    names: ['name', 'kind', 'items', 'addedAt', 'description'],
    row: ({ name, kind, items, addedAt = '', description = '' }) => {
      const { totalItems, exact = true } = items
      return [name, kind, exact ? `${totalItems}` : `>= ${totalItems}`, addedAt, description]
    },
  })
}

async function listItems(
  client: Client,
  { datasetId, ...exploration }: NamedState & Exploration,
  shown: Shown,
): Promise<void> {
  const { schema } = await client.datasetGet({ datasetId })
  const names = schema.map(({ name }) => name)
  const pageSize = Math.max(1, Math.min(shown.limit, limits.pageSizeMax))
  await print(client.items(datasetId, { pageSize, ...exploration }), {
    ...shown,
    names: ['id', ...names],
    row: ({ id, data }) => [String(id), ...names.map((name) => plainText(data[name] ?? ''))],
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

/** Groups datasets as they are printed: columns are as wide as those of one group need. */
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
