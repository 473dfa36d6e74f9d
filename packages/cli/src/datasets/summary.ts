import { plainText, type DatasetSummary, type FieldSummary } from '@vitrine/contract'
import { defineCommand, CommandError } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { readNamedState, requireStates } from './named-state.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { printTable } from '../command/table.ts'
import { readCondition, requireCurrent } from './read-clauses.ts'

export const summary = defineCommand({
  usage: '<dataset>[@<items>] [--where <condition>] [--current] [--json]',
  summary: 'Say what the values of each field are: missing, different, common, least and greatest',
  details:
    'Numbers that are estimates have a ~ before them (docs/summaries.md). --json has all of it, with the\n' +
    'histograms. --where takes what a view does, as YAML or JSON (docs/views.md); --current leaves out what was\n' +
    'replaced or withdrawn (docs/corrections.md).\n' +
    'cats@1200 is cats as it was when its repository had 1,200 items (docs/states.md).',
  examples: [
    ['summary cities', 'each field on a line'],
    [`summary cities --where 'country: { eq: NZ }'`, 'of some of its items'],
    [`summary cities --json | jq '.fields[] | {name, mean}'`, 'the means, for another program'],
  ],
  positionals: { from: 1, to: 1 },
  options: {
    ...serverOptions,
    where: { type: 'string' },
    current: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  run: async (invocation) => {
    const { positionals, values, io } = invocation
    const state = readNamedState(positionals[0])
    const { current } = values
    const where = readCondition(values.where)
    const opened = await openClient(invocation)
    const { client, features } = opened
    requireStates(opened, state)
    if (!features.includes('summary')) {
      throw new CommandError(`${client.options.baseUrl} makes no summaries.`)
    }
    requireCurrent(opened, current)
    const summary = await client.datasetSummary({
      ...state,
      ...(where && { where }),
      ...(current === true && { current }),
    })
    if (values.json) io.console.log(JSON.stringify(summary))
    else printSummary(io, summary)
  },
})

const namedMax = 3

function printSummary(io: Io, { items, fields }: DatasetSummary): void {
  if (io.stdout.isTTY === true) io.console.log(`${items.toLocaleString('en')} items\n`)
  printTable(
    io,
    ['field', 'type', 'present', 'missing', 'different', 'least', 'greatest', 'mean', 'commonest'],
    fields.map((field) => [
      field.name,
      field.type,
      String(field.present),
      String(field.missing),
      `${field.estimated === true ? '~' : ''}${field.distinct}`,
      plainText(field.least ?? ''),
      plainText(field.greatest ?? ''),
      meanText(field),
      commonestOf(field),
    ]),
  )
}

function meanText({ mean = '' }: FieldSummary): string {
  return typeof mean === 'number' ? String(Number(mean.toPrecision(6))) : plainText(mean)
}

function commonestOf({ commonest, estimated }: FieldSummary): string {
  return commonest
    .slice(0, namedMax)
    .map(({ value, count, cut }) => {
      const text = plainText(value) + (cut === true ? '…' : '')
      return `${text} (${estimated === true ? '~' : ''}${count})`
    })
    .join(', ')
}
