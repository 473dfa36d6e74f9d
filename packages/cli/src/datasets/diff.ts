import type { Client } from '@vitrine/client'
import {
  type DatasetChange,
  type DatasetDiff,
  type ItemChange,
  auditDetails,
  limits,
  plainText,
  stateName,
} from '@vitrine/contract'
import { defineCommand, CommandError, UsageError } from '../command/command.ts'
import { counted, printTable, visible } from '../command/table.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { readNamedState } from './named-state.ts'

export const diff = defineCommand({
  usage: '<dataset>@<items> [<dataset>[@<items>]] [--summary] [--json]',
  summary: 'List the items that only one of two states of a dataset has',
  details:
    'The second state is the dataset as it is now where it is left out. A line has `added` or `removed`, the\n' +
    'id of an item, and its values; how many there are, and what was changed of the schema, goes to the\n' +
    'standard error, or with --summary in place of the items to the output (docs/states.md).',
  examples: [
    ['diff cats@1200', 'what came since cats had 1,200 items'],
    ['diff cats@1200 cats@1500', 'what came until it had 1,500'],
    ['diff cats@1200 --summary', 'only how much came, and what was changed of the schema'],
    ['diff cats@1200 --json | jq .item.data.name', 'one field of all that came'],
  ],
  positionals: { from: 1, to: 2 },
  options: { ...serverOptions, summary: { type: 'boolean' }, json: { type: 'boolean' } },
  run: async (invocation) => {
    const { positionals, values, io } = invocation
    const { datasetId, at: from } = readNamedState(positionals[0])
    const later = readNamedState(positionals[1] ?? datasetId)
    if (from === undefined) throw new UsageError('Name the earlier state as cats@1200.')
    if (later.datasetId !== datasetId) throw new UsageError('Both are to be states of one dataset.')
    if (later.at !== undefined && later.at < from) {
      throw new UsageError('The first state is the earlier one.')
    }
    const { client, features } = await openClient(invocation)
    if (!features.includes('diff')) {
      throw new CommandError(`${client.options.baseUrl} compares no states.`)
    }
    const states = { datasetId, from, to: later.at }
    if (values.summary) {
      const { changes: _, ...summary } = await client.datasetDiff({ ...states, pageSize: 1 })
      if (values.json) io.console.log(JSON.stringify(summary))
      else for (const line of summaryLines(datasetId, summary)) io.console.log(line)
      return
    }
    const { schema } = await client.datasetGet({ datasetId })
    const names = schema.map(({ name }) => name)
    let isFirst = true
    for await (const page of pagesOfDiff(client, states)) {
      if (isFirst && !values.json) {
        for (const line of summaryLines(datasetId, page)) io.console.error(line)
      }
      isFirst = false
      if (values.json) for (const each of page.changes) io.console.log(JSON.stringify(each))
      else if (page.changes.length > 0) {
        printTable(
          io,
          ['change', 'id', ...names],
          page.changes.map((change) => changeRow(change, names)),
        )
      }
    }
  },
})

/** Reads all pages; those after the first end with the state that was the current one then. */
async function* pagesOfDiff(
  client: Client,
  states: { datasetId: string; from: number; to: number | undefined },
): AsyncGenerator<DatasetDiff> {
  const pageSize = limits.pageSizeMax
  let { to } = states
  for (let page = 0; ; page += 1) {
    const diff = await client.datasetDiff({ ...states, to, page, pageSize })
    yield diff
    if (diff.changes.length < pageSize) return
    to = diff.to.at
  }
}

function changeRow(
  { change, item, replaces, withdraws }: ItemChange,
  names: readonly string[],
): string[] {
  const values = names.map((name) => plainText(item.data[name] ?? ''))
  const corrected = replaces === undefined ? change : `corrects ${replaces}`
  return [
    withdraws === undefined ? corrected : `withdraws ${withdraws}`,
    String(item.id),
    ...values,
  ]
}

function summaryLines(
  name: string,
  { from, to, added, removed, extensions }: Omit<DatasetDiff, 'changes'>,
): string[] {
  const states = `${stateName({ name, at: from.at })} to ${stateName({ name, at: to.at })}`
  return [
    `${states}: ${counted(added, 'item')} added, ${counted(removed, 'item')} removed`,
    ...extensions.map(extensionText),
  ]
}

function extensionText({ at, by, details }: DatasetChange): string {
  const who = by === undefined ? '' : ` by ${by.name ?? by.subject}`
  const what = details === undefined ? '' : `: ${auditDetails({ details })}`
  return visible(`extended ${at}${who}${what}`)
}
