import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { type Client, openReply } from '@vitrine/client'
import { plainText, type DatasetInfo, type SealedItem } from '@vitrine/contract'
import { stringify } from 'yaml'
import { type Command, UsageError } from '../command.ts'
import type { Io } from '../io.ts'
import { saveReply } from '../save-reply.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { printTable, visible } from '../table.ts'

export const show: Command = {
  usage: '<dataset> [<item> [<field>]] [--output <file>] [--json]',
  summary: 'Show a dataset, an item, or the bytes of one value',
  examples: [
    ['show cats', 'what is known of cats: its fields, its size, what refers to it'],
    ['show cats 7', 'an item, with the digest of each value'],
    ['show cats 7 picture --output cat.png', 'the bytes of a value, in a file'],
    ['show cats --json | jq .schema', 'the schema, for another program'],
  ],
  positionals: { from: 1, to: 3 },
  options: { ...serverOptions, output: { type: 'string', short: 'o' }, json: { type: 'boolean' } },
  run: async (given) => {
    const { positionals, values, io } = given
    const { console } = io
    const [datasetId = '', itemId, fieldName] = positionals
    if (itemId !== undefined && !/^[1-9]\d{0,15}$/.test(itemId)) {
      throw new UsageError('An item is named by its id, a number.')
    }
    const { client } = await openClient(given)
    const asJson = values['json'] === true
    if (itemId === undefined) {
      const info = await client.datasetGet({ datasetId })
      const count = await client.datasetCount({ datasetId })
      if (asJson) console.log(JSON.stringify({ ...info, ...count }))
      else showDataset(io, info, count)
    } else if (fieldName === undefined) {
      const item = await client.datasetItemGet({ datasetId, itemId })
      if (asJson) console.log(JSON.stringify(item))
      else showItem(io, item)
    } else {
      const output = values['output'] as string | undefined
      await writeValue(client, { datasetId, itemId, fieldName }, { io, output })
    }
  },
}

function showDataset(
  io: Io,
  info: DatasetInfo,
  { totalItems, exact }: { totalItems: number; exact?: boolean | undefined },
): void {
  const count = `${totalItems.toLocaleString('en')}${exact === false ? ' or more' : ''}`
  printFacts(io, [
    ['name', info.name],
    ['kind', info.view === undefined ? 'repository' : `view of ${info.view.base}`],
    ['created', info.createdAt],
    ['items', count],
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

function showItem(io: Io, { id, createdAt, data, integrity }: SealedItem): void {
  printFacts(io, [
    ['id', String(id)],
    ['created', createdAt],
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

function printFacts({ console }: Io, facts: [string, string | undefined][]): void {
  const there = facts.filter((fact): fact is [string, string] => Boolean(fact[1]))
  const width = Math.max(...there.map(([name]) => name.length))
  for (const [name, value] of there) console.log(`${name.padEnd(width)}  ${visible(value)}`)
}

async function writeValue(
  client: Client,
  value: { datasetId: string; itemId: string; fieldName: string },
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
