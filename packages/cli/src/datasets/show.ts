import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { type Client, openReply } from '@vitrine/client'
import {
  type DatasetInfo,
  type StateInfo,
  type ItemOrigin,
  type ItemVersion,
  type Person,
  type Provenance,
  type SealedItem,
  plainText,
} from '@vitrine/contract'
import { stringify } from 'yaml'
import { CommandError, defineCommand, UsageError } from '../command/command.ts'
import { counted, printTable, visible } from '../command/table.ts'
import type { Io } from '../command/io.ts'
import { saveReply } from '../command/files.ts'
import { type NamedState, readNamedState, requireStates } from './named-state.ts'
import { readItemId } from './values.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'

export const show = defineCommand({
  usage: '<dataset>[@<items>] [<item> [<field>]] [--proof] [--output <file>] [--json]',
  summary: 'Show a dataset, an item, or the bytes of one value',
  details: 'cats@1200 is cats as it was when its repository had 1,200 items (docs/states.md).',
  examples: [
    ['show cats', 'what is known of cats: its fields, its size, what refers to it'],
    ['show cats@1200', 'the same as it was with 1,200 items, and when that was'],
    ['show cats 7', 'an item, with the digest of each value'],
    ['show cats 7 picture --output cat.png', 'the bytes of a value, in a file'],
    ['show cats 7 --proof --output cats-7.tlog-proof', 'that its log has the item, for `verify`'],
    ['show cats --json | jq .schema', 'the schema, for another program'],
  ],
  positionals: { from: 1, to: 3 },
  options: {
    ...serverOptions,
    proof: { type: 'boolean' },
    output: { type: 'string', short: 'o' },
    json: { type: 'boolean' },
  },
  run: async (invocation) => {
    const { positionals, values, io } = invocation
    const { console } = io
    const [named, itemId, fieldName] = positionals
    const state = readNamedState(named)
    const { datasetId } = state
    if (itemId !== undefined) readItemId(itemId)
    const opened = await openClient(invocation)
    const { client, features } = opened
    requireStates(opened, state)
    const tellsAuthors = features.includes('authors')
    const asJson = values.json
    if (values.proof) {
      if (itemId === undefined || fieldName !== undefined) {
        throw new UsageError('--proof is for an item: name it by its id.')
      }
      if (!features.includes('log')) {
        throw new CommandError(`${client.options.baseUrl} has no log that proves anything.`)
      }
      return writeProof(client, { ...state, itemId }, { io, output: values.output })
    }
    if (itemId === undefined) {
      const info = await client.datasetGet(state)
      const count = await client.datasetCount(state)
      const made = tellsAuthors ? await client.datasetProvenance({ datasetId }) : {}
      if (asJson) console.log(JSON.stringify({ ...info, ...count, ...made }))
      else showDataset(io, { ...info, ...made }, count)
    } else if (fieldName === undefined) {
      const item = await client.datasetItemGet({ ...state, itemId })
      const made = tellsAuthors ? await client.datasetItemAuthor({ ...state, itemId }) : {}
      const versions = features.includes('corrections')
        ? { versions: await client.datasetVersionList({ ...state, itemId }) }
        : {}
      if (asJson) console.log(JSON.stringify({ ...item, ...made, ...versions }))
      else showItem(io, { ...item, ...made, ...versions })
    } else {
      const { output } = values
      await writeValue(client, { ...state, itemId, fieldName }, { io, output })
    }
  },
})

function showDataset(
  io: Io,
  info: DatasetInfo & Partial<Provenance>,
  { totalItems, exact }: { totalItems: number; exact?: boolean | undefined },
): void {
  const count = `${totalItems.toLocaleString('en')}${exact === false ? ' or more' : ''}`
  printFacts(io, [
    ['name', info.name],
    ['kind', info.view === undefined ? 'repository' : `view of ${info.view.base}`],
    ['created', info.createdAt],
    ['created by', personText(info.createdBy)],
    ['comes from', info.origins?.map(originsText).join(', ')],
    ['items', count],
    ['as of', info.state && stateText(info.state)],
    ['description', info.description],
    ['refers to', info.referencesTo.join(', ')],
    ['referred to by', info.referencedBy.join(', ')],
  ])
  io.console.log('')
  printTable(
    io,
    ['field', 'type', 'of', ''],
    info.schema.map(({ name, type, length, target, mime, optional }) => [
      name,
      type,
      target ?? mime ?? (length === undefined ? '' : `up to ${length} characters`),
      optional === true ? 'optional' : '',
    ]),
  )
  if (info.view !== undefined) io.console.log(`\n${stringify(info.view).trimEnd()}`)
}

function showItem(
  io: Io,
  {
    id,
    createdAt,
    data,
    integrity,
    author,
    origin,
    versions = [],
  }: SealedItem & {
    author?: Person | undefined
    origin?: ItemOrigin | undefined
    versions?: ItemVersion[]
  },
): void {
  printFacts(io, [
    ['id', String(id)],
    ['created', createdAt],
    ['added by', personText(author)],
    ['comes from', origin && originText(origin)],
    ...versionFacts(id, versions),
  ])
  io.console.log('')
  printTable(
    io,
    ['field', 'value', 'size', 'sha256'],
    Object.entries(data).map(([name, value]) => {
      const seal = integrity?.[name]
      // Of a binary, its digest is the value.
      const shown = seal?.mime ?? plainText(value)
      return [name, shown, seal === undefined ? '' : String(seal.size), seal?.sha256 ?? '']
    }),
  )
}

/** Facts of what an item replaces, and of what replaced it. */
function versionFacts(id: number, versions: ItemVersion[]): [string, string | undefined][] {
  const at = versions.findIndex((version) => version.id === id)
  const [before, own, next, latest] = [
    versions[at - 1],
    versions[at],
    versions[at + 1],
    versions.at(-1),
  ]
  const reasonText = (of: ItemVersion | undefined) =>
    of?.reason === undefined ? '' : ` (${of.reason})`
  return [
    [
      own?.change === 'withdrawn' ? 'withdraws' : 'corrects',
      before && `item ${before.id}${reasonText(own)}`,
    ],
    [
      next?.change === 'withdrawn' ? 'withdrawn by' : 'replaced by',
      next && `item ${next.id}${reasonText(next)}`,
    ],
    ['latest version', next && latest && `item ${latest.id}, ${latest.change}`],
  ]
}

function stateText({ at, repo, createdAt }: StateInfo): string {
  const items = `${counted(at, 'item')} of ${repo}`
  return createdAt === undefined ? items : `${items}, the last of them added ${createdAt}`
}

/** A log with some items of the dataset. */
function originsText({ origin, size, items }: NonNullable<Provenance['origins']>[number]): string {
  return `${origin}@${size} (${counted(items, 'item')})`
}

function originText({ origin, size, id, createdAt, by }: ItemOrigin): string {
  return `${origin}@${size}, item ${id}, added ${createdAt}${by === undefined ? '' : ` by ${by}`}`
}

/** A name, and in parentheses what the provider knows the person by. */
function personText(person: Person | undefined): string | undefined {
  if (person === undefined) return undefined
  const { subject, name } = person
  return name === undefined ? subject : `${name} (${subject})`
}

function printFacts({ console }: Io, facts: [string, string | undefined][]): void {
  const there = facts.filter((fact): fact is [string, string] => Boolean(fact[1]))
  const width = Math.max(...there.map(([name]) => name.length))
  for (const [name, value] of there) console.log(`${name.padEnd(width)}  ${visible(value)}`)
}

/** Writes the proof that the log of a repository has an item, at a state where one is named. */
async function writeProof(
  client: Client,
  { datasetId, at, itemId }: NamedState & { itemId: string },
  { io, output }: { io: Io; output: string | undefined },
): Promise<void> {
  const { repo } = await client.datasetState({ datasetId })
  const place = { datasetId: repo, itemId, ...(at !== undefined && { size: at }) }
  const response = await openReply(client, 'logProof', place)
  if (output !== undefined) return saveReply(response, output)
  io.stdout.write(await response.text())
}

async function writeValue(
  client: Client,
  value: NamedState & { itemId: string; fieldName: string },
  { io, output }: { io: Io; output: string | undefined },
): Promise<void> {
  const response = await openReply(client, 'datasetFieldGet', value)
  const isText = response.headers.get('content-type')?.startsWith('text/') === true
  if (output === undefined && io.stdout.isTTY === true && !isText) {
    await response.body?.cancel()
    throw new UsageError('A terminal cannot show this value: name a file with --output.')
  }
  if (output !== undefined) return saveReply(response, output)
  const body = Readable.fromWeb(response.body as ReadableStream)
  await pipeline(body, io.stdout, { end: false })
}
