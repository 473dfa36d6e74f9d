import { type NewValue, correctItem } from '@vitrine/client'
import { CommandError, defineCommand, type Invocation, UsageError } from '../command/command.ts'
import { untilInterrupted } from '../command/interruption.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { readItemId, readValues } from './values.ts'

export const correct = defineCommand({
  usage:
    '<repository> <item> [<field>=<value> | <field>=@<file> …] [--without <field> …] --reason <text> [--json]',
  summary: 'Correct an item by a new one, which replaces it',
  details:
    'Values that are not named stay; the old item stays where it is, and says what replaced it\n' +
    '(docs/corrections.md). An item that was withdrawn is brought back by correcting what withdrew it, with no\n' +
    'value where it is to be as it was. It takes whoever added the item, or a curator.',
  examples: [
    ['correct cats 7 name=Tom --reason "a typing error"', 'another name; the rest stays'],
    ['correct cats 7 picture=@tom.png --reason "sharper"', 'another file'],
    ['correct cats 7 --without age --reason "nobody knows"', 'no age any more'],
  ],
  positionals: { from: 2, to: Infinity },
  options: {
    ...serverOptions,
    reason: { type: 'string' },
    without: { type: 'string', multiple: true },
    json: { type: 'boolean' },
  },
  run: async (invocation) => {
    const { io, values: options } = invocation
    const [repo = '', item, ...words] = invocation.positionals
    const itemId = Number(readItemId(item))
    const reason = requireReason(options)
    const client = await openCorrections(invocation)
    const { schema } = await client.datasetGet({ datasetId: repo })
    const values: Record<string, NewValue | null> = await readValues(words, schema)
    for (const name of options.without ?? []) {
      if (Object.hasOwn(values, name)) throw new UsageError(`There is a value for ${name}.`)
      values[name] = null
    }
    const id = await untilInterrupted(io, 'Nothing was corrected.', (signal) =>
      correctItem(client, repo, itemId, { values, reason }, { signal }),
    )
    const text = `Item ${itemId} of ${repo} is replaced by item ${id}.`
    io.console.log(options.json ? JSON.stringify({ id }) : text)
  },
})

export const withdraw = defineCommand({
  usage: '<repository> <item> --reason <text> [--json]',
  summary: 'Withdraw an item',
  details:
    'The item stays where it is, and says that it was withdrawn, and why; the repository gets an item that repeats\n' +
    'its values and withdraws it. It takes whoever added the item, or a curator.',
  examples: [['withdraw cats 7 --reason "added twice"', 'withdraws item 7']],
  positionals: { from: 2, to: 2 },
  options: { ...serverOptions, reason: { type: 'string' }, json: { type: 'boolean' } },
  run: async (invocation) => {
    const { io, values } = invocation
    const [repo = '', item] = invocation.positionals
    const itemId = readItemId(item)
    const body = { reason: requireReason(values) }
    const client = await openCorrections(invocation)
    const { id } = await client.itemWithdraw({ datasetId: repo, itemId, body })
    const text = `Item ${itemId} of ${repo} is withdrawn by item ${id}.`
    io.console.log(values.json ? JSON.stringify({ id }) : text)
  },
})

function requireReason({ reason = '' }: { reason?: string | undefined }): string {
  if (reason.trim() === '') throw new UsageError('Say why, by --reason.')
  return reason
}

async function openCorrections(invocation: Invocation<typeof serverOptions>) {
  const { client, features } = await openClient(invocation)
  if (features.includes('corrections')) return client
  throw new CommandError(`${client.options.baseUrl} takes no corrections.`)
}
