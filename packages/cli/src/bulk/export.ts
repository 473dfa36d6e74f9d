import { extname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { exportDataset, type ExportOptions } from '@vitrine/client'
import { exportFormatNames, exportFormats, type ExportFormat } from '@vitrine/contract'
import { defineCommand, CommandError, UsageError } from '../command/command.ts'
import { counted } from '../command/table.ts'
import { clauseOptions, readClauses, requireCurrent } from '../datasets/read-clauses.ts'
import { untilInterrupted } from '../command/interruption.ts'
import { readNamedState, requireStates } from '../datasets/named-state.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { showTransfer } from '../command/progress.ts'
import { writeWhole } from '../command/files.ts'

export const exportCommand = defineCommand({
  usage:
    '<dataset>[@<items>] [--output <file>] [--format <format>] [--integrity] [--guard]\n' +
    '                      [--where <condition>] [--order <paths>] [--find <words>] [--current]\n' +
    '                      [--from <position>] [--to <position>] [--json]',
  summary: 'Export a dataset or some of its items, as it is at this moment or was',
  details:
    `--format takes ${exportFormatNames.join(', ')}; without it the file name decides.\n` +
    'Without a file, ndjson goes to standard output. The file is there once it is whole.\n' +
    '--integrity writes the sha256 of each value beside it, and a seal of what each reference leads to: an\n' +
    'import checks both, and `vitrine verify --file` the digests. Use it to move data to another server,\n' +
    'where items have other ids.\n' +
    '--where, --order and --find (-q) take what `vitrine ls` does: the items that pass a condition, in an order of\n' +
    'their paths, and with words in one text; --current leaves out what was replaced or withdrawn. --from and --to\n' +
    'are positions in that order.\n' +
    "--guard makes CSV and TSV for Excel: with a byte order mark, and a ' before possible formulas, which an\n" +
    'import with --guard removes. A workbook (cats.xlsx) needs none: it has up to 1,048,575 rows.\n' +
    'A bundle (cats.bundle.zip) has a whole dataset with all that it refers to, and what proves it: `vitrine\n' +
    'verify` reads it without a server, `vitrine import` makes all of it on another one (docs/bundles.md).\n' +
    'cats@1200 is cats as it was when its repository had 1,200 items (docs/states.md).',
  examples: [
    ['export cats -o cats.xlsx', 'a workbook for Excel'],
    ['export cats --integrity -o cats.ndjson', 'rows with the digest of every value'],
    [
      `export cats --where 'name: { icontains: tom }' --order=-createdAt -o toms.parquet`,
      'some of them, the newest first',
    ],
    ['export cats@1200 -o cats.parquet', 'the items that it had when they were 1,200'],
    ['export cats --to 1000 | jq .name', 'the first thousand items, for another program'],
  ],
  positionals: 1,
  options: {
    ...serverOptions,
    output: { type: 'string', short: 'o' },
    format: { type: 'string' },
    integrity: { type: 'boolean' },
    guard: { type: 'boolean' },
    ...clauseOptions,
    find: { type: 'string', short: 'q' },
    from: { type: 'string' },
    to: { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async (invocation) => {
    const { io, values } = invocation
    const state = readNamedState(invocation.positionals[0])
    const { datasetId, at } = state
    const { output, find: q } = values
    const exploration = { ...readClauses(values), ...(q !== undefined && { q }) }
    const options: ExportOptions = {
      ...exploration,
      at,
      format: formatOf(values.format, output),
      integrity: values.integrity,
      guard: values.guard,
      from: positionOf('--from', values.from),
      to: positionOf('--to', values.to),
    }
    const opened = await openClient(invocation)
    const { client, features } = opened
    requireStates(opened, state)
    if (!features.includes('export')) {
      throw new CommandError(`${client.options.baseUrl} does not export.`)
    }
    const { feature } = exportFormats[options.format]
    if (feature !== undefined && !features.includes(feature)) {
      throw new CommandError(`${client.options.baseUrl} does not export as ${options.format}.`)
    }
    if (Object.keys(exploration).length > 0 && !features.includes('export-explored')) {
      throw new CommandError(
        `${client.options.baseUrl} exports whole datasets only: it takes no --where, --order and --find.`,
      )
    }
    requireCurrent(opened, exploration.current)
    const progress = showTransfer(io, datasetId)
    const done = { bytes: 0, rows: 0 }
    const nothing = output === undefined ? 'The output is cut off.' : 'Nothing was written.'
    await untilInterrupted(io, nothing, async (signal) => {
      try {
        const bytes = exportDataset(client, datasetId, {
          ...options,
          signal,
          onProgress: ({ bytes, rows, totalRows }) => {
            Object.assign(done, { bytes, rows })
            if (rows > 0)
              progress.note(`${rows.toLocaleString('en')} of ${counted(totalRows, 'row')}`)
            progress.update(bytes)
          },
        })
        if (output === undefined) await pipeline(Readable.from(bytes), io.stdout, { end: false })
        else await writeWhole(bytes, output)
      } finally {
        progress.stop()
      }
    })
    if (output === undefined) return
    const asJson = values.json
    const rows = done.rows > 0 ? `${counted(done.rows, 'row')}, ` : ''
    io.console.log(
      asJson
        ? JSON.stringify({ file: output, ...done })
        : `Wrote ${output}: ${rows}${counted(done.bytes, 'byte')}.`,
    )
  },
})

function formatOf(named: string | undefined, output: string | undefined): ExportFormat {
  const wanted = named ?? (output === undefined ? 'ndjson' : endingOf(output))
  const format = exportFormatNames.find((each) => each === (wanted === 'jsonl' ? 'ndjson' : wanted))
  if (format !== undefined) return format
  throw new UsageError(`Say which of ${exportFormatNames.join(', ')} it is with --format.`)
}

function endingOf(output: string): string {
  return output.endsWith('bundle.zip') ? 'bundle' : extname(output).slice(1)
}

function positionOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,15}$/.test(text)) throw new UsageError(`${option} takes a number.`)
  return Number(text)
}
