import { type Client, confirmImport, type ImportOptions } from '@vitrine/client'
import { type ImportedItem, type ImportState, importedRows, plainText } from '@vitrine/contract'
import { CommandError, type Invocation, UsageError } from '../command/command.ts'
import { ask, type Io } from '../command/io.ts'
import { showTransfer } from '../command/progress.ts'
import { counted, visible } from '../command/table.ts'

/** Items printed on a terminal. */
const shownMax = 20
/** Characters of a value on a line. */
const valueMax = 60

/** Options that say how rows are matched with items. */
export const matchingOptions = {
  match: { type: 'string' },
  reason: { type: 'string' },
  'dry-run': { type: 'boolean' },
} as const

const allOptions = {
  ...matchingOptions,
  skip: { type: 'boolean' },
  create: { type: 'boolean' },
  yes: { type: 'boolean' },
} as const

/**
 * Returns the options by which rows are matched with items.
 * @throws UsageError
 */
export function matchingOf({
  values,
  io,
}: Invocation<typeof allOptions>): Pick<ImportOptions, 'match' | 'reason' | 'confirm'> {
  const { match, reason, yes = false, 'dry-run': isDryRun = false } = values
  if ((match === undefined) !== (reason === undefined)) {
    throw new UsageError('--match and --reason go together.')
  }
  if (match === undefined) return isDryRun ? { confirm: true } : {}
  if (values.skip) throw new UsageError('With --match either all rows are imported or none is.')
  if (values.create) throw new UsageError('--create makes a repository without items to match.')
  if (!yes && !isDryRun && io.stdin.isTTY !== true) {
    throw new UsageError('There is no terminal to ask on: give --yes to change the items.')
  }
  return { match: match.split(','), reason, confirm: isDryRun || !yes }
}

type Checked = { repo: string; state: ImportState; signal: AbortSignal }

/**
 * Shows what a checked import is to change, and lets it once whoever is at the terminal agrees; a dry run cancels it.
 * @returns its state at the end
 * @throws CommandError where nobody agrees; it is cancelled then
 */
export async function confirmShown(
  client: Client,
  { io, values }: { io: Io; values: { 'dry-run'?: boolean | undefined } },
  { repo, state, signal }: Checked,
): Promise<{ state: ImportState; already: boolean }> {
  const of = { datasetId: repo, importKey: state.key }
  for (let checked = state; ;) {
    for (const line of await describe(client, repo, checked)) io.console.error(line)
    const isDryRun = values['dry-run'] === true
    const answer = isDryRun ? 'no' : await ask('Make these changes? [y/N] ', io)
    if (answer === undefined || !/^y(?:es)?$/i.test(answer.trim())) {
      await client.importCancel(of)
      if (isDryRun) return { state: { ...checked, state: 'cancelled' }, already: false }
      const exitCode = answer === undefined ? 130 : 1
      throw new CommandError('Nothing was changed.', { exitCode })
    }
    const progress = showTransfer(io, repo)
    try {
      checked = await confirmImport(client, repo, checked, { signal })
    } finally {
      progress.stop()
    }
    if (checked.state === 'done') return { state: checked, already: false }
    io.console.error('Others have changed these items meanwhile. This is the difference now.')
  }
}

/** Describes the difference that an import makes, a line each for the first of its items. */
async function describe(client: Client, repo: string, state: ImportState): Promise<string[]> {
  const total = importedRows(state)
  const { changedRows = 0, unchangedRows = 0, refusedRows, key: importKey } = state
  const items =
    total === 0
      ? []
      : await client.importDifference({ datasetId: repo, importKey, pageSize: shownMax })
  const more = total - items.length
  return [
    `${counted(changedRows, 'item')} of ${repo} to correct, ${total - changedRows} to add; ${counted(unchangedRows, 'row')} the same.`,
    ...(refusedRows > 0 ? [`${counted(refusedRows, 'row')} refused, and left out.`] : []),
    ...items.map((item) => visible(`  ${lineOf(item)}`)),
    ...(more > 0 ? [`  and ${more.toLocaleString('en')} more`] : []),
  ]
}

function lineOf({ replaces, withdraws, values }: ImportedItem): string {
  if (withdraws === true) return `item ${replaces}  is withdrawn`
  const entries = Object.entries(values).map(([name, { before, after }]) =>
    replaces === null
      ? `${name}: ${textOf(after)}`
      : `${name}: ${textOf(before)} → ${textOf(after)}`,
  )
  const changes = entries.length === 0 ? 'has the same values' : entries.join(', ')
  return `${replaces === null ? 'new' : `item ${replaces}`}  ${changes}`
}

function textOf(value: ImportedItem['values'][string]['after']): string {
  if (value === undefined) return '(none)'
  const text = plainText(value)
  return text.length > valueMax ? `${text.slice(0, valueMax)}…` : text
}
