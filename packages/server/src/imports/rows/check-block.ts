// Runs in a checking thread.

import type { Refusal, SchemaField } from '@vitrine/contract'
import { readDelimited } from '@vitrine/rows/text/read-delimited'
import { prepareNdjson } from '@vitrine/rows/text/read-ndjson'
import { prepareChecks } from './check-rows.ts'
import { fieldsOf } from './column.ts'
import { type KeyedItems, prepareMatching } from './match-rows.ts'
import {
  type LookupResults,
  type Lookups,
  needsNoLookup,
  noLookups,
  prepareLookups,
} from './lookups.ts'
import {
  type BlockContent,
  type ParsedBlock,
  type RowRange,
  type TextRange,
  type VisitRow,
  malformedRow,
} from './raw-row.ts'
import { type DelimitedFormat, delimitedRow } from './delimited-row.ts'
import { type NdjsonFormat, ndjsonRows } from './ndjson-row.ts'
import type { ParquetFormat, ReadBytes } from './parquet-row.ts'
import type { SheetFormat } from './sheet-row.ts'
import { RowPacker } from './packed-rows.ts'

/** How the blocks of a file are read; what rows refer to is looked up by the main thread. */
export type BlockConfig = {
  schema: readonly SchemaField[]
  /** Fields by which rows are matched with items, `id` or `id.replaces`. */
  match?: readonly string[] | undefined
} & (
  | ({ format: 'ndjson' } & Pick<NdjsonFormat, 'columns'>)
  | ({ format: 'parquet' } & Pick<ParquetFormat, 'columns' | 'fileBytes'>)
  | ({ format: 'delimited' } & Omit<DelimitedFormat, 'schema'>)
  | ({ format: 'sheet' } & Omit<SheetFormat, 'schema'>)
)

/** The result of checking a block; rows and lines are counted from 0 within it. */
export type CheckedBlock = {
  rows: number
  refusedRows: number
  lines: number
  /** Packed rows (`packed-rows.ts`). */
  checked: Uint8Array<ArrayBuffer>
  acceptedRows: number
  /** Rows that replace an item, and rows that are as theirs is, where rows are matched. */
  changedRows: number
  unchangedRows: number
  /** Keys by which rows were matched, by row. */
  keys: (string | undefined)[]
  refusals: Refusal[]
  /** The first row that is no row of its format. */
  malformed: { row: number; line: number | null; reason: string } | undefined
  /** Nothing after this row can be read. */
  unreadable: { row: number; line: number | null; reason: string } | undefined
  /** Rows that are left for another block. */
  rest?: RowRange | TextRange
} & Pick<ParsedBlock, 'unpackedBytes'>

/** `read` reads the file from one byte to another, the last left out. */
export async function prepareBlocks(config: BlockConfig, read: ReadBytes) {
  const { schema, match } = config
  const matching = match && prepareMatching(schema, match, columnFields(config))
  return {
    parse: await prepareParse(config, read),
    addLookups: prepareLookups(schema),
    matching,
    check: prepareChecks(schema, matching),
    packer: new RowPacker(config.schema),
  }
}

/** Returns the fields that a file has columns for; of NDJSON each row says what it has. */
function columnFields(config: BlockConfig): Set<number> | undefined {
  switch (config.format) {
    case 'ndjson':
      return undefined
    case 'parquet':
      return fieldsOf(config.columns.map(({ column }) => column))
    default:
      return fieldsOf(config.columns)
  }
}

type Parse = (range: RowRange | TextRange, visit: VisitRow) => ParsedBlock | Promise<ParsedBlock>

async function prepareParse(config: BlockConfig, read: ReadBytes): Promise<Parse> {
  switch (config.format) {
    case 'ndjson': {
      const parse = prepareNdjson(ndjsonRows(config))
      return inRange((text, visit) =>
        parse(text, {
          row: visit,
          malformed: (line, reason) => visit(malformedRow(line, reason)),
        }),
      )
    }
    case 'delimited': {
      const shape = { dialect: config.dialect, width: config.columns.length }
      return inRange((text, visit) =>
        readDelimited(text, shape, {
          row: (cells, line) => visit(delimitedRow(cells, line, config)),
          malformed: (line, reason) => visit(malformedRow(line, reason)),
        }),
      )
    }
    case 'sheet': {
      const { prepareSheetLines } = await import('./sheet-row.ts')
      return inRange(prepareSheetLines(config))
    }
    case 'parquet': {
      const { prepareParquet } = await import('./parquet-row.ts')
      const parse = prepareParquet(config, read)
      return (range, visit) => parse(range as RowRange, visit)
    }
  }
}

/** Parses the rows of a range of a text. Its lines, and why it ends before its end, go with its last rows. */
function inRange(parse: (text: Uint8Array, visit: VisitRow) => ParsedBlock): Parse {
  return (range, visit) => {
    const { text, from, to } = range as TextRange
    let at = 0
    const parsed = parse(text, (row) => {
      if (at >= from && at < to) visit(row)
      at += 1
    })
    return to === Infinity ? parsed : { lines: 0 }
  }
}

export async function checkBlock(
  { parse, addLookups, matching, check, packer }: Awaited<ReturnType<typeof prepareBlocks>>,
  content: BlockContent,
  {
    lookUp,
    match,
  }: {
    lookUp: (lookups: Lookups) => Promise<LookupResults>
    match: (keys: string[]) => Promise<KeyedItems>
  },
): Promise<CheckedBlock> {
  let range = content instanceof Uint8Array ? { text: content, from: 0, to: Infinity } : content
  let rest: CheckedBlock['rest']
  let results = nothingKept
  if (addLookups !== undefined) {
    // Rows are parsed again rather than kept: all of them together are what fills memory.
    const lookups = noLookups()
    await parse(range, (row) => addLookups(lookups, row))
    if (!needsNoLookup(lookups)) results = await lookUp(lookups)
  }
  const keys: CheckedBlock['keys'] = []
  if (matching !== undefined) {
    const lookedUp = results
    await parse(range, (row) => void keys.push(matching.keyOf(row, lookedUp)))
    const wanted = new Set(keys.filter((key) => key !== undefined))
    const matches = await match([...wanted])
    results = { ...lookedUp, matches }
    const matched = keys.findIndex((key) => key !== undefined && !matches.has(key))
    if (matched !== -1) {
      keys.length = matched
      rest = { ...range, from: range.from + matched }
      range = { ...range, to: rest.from }
    }
  }
  const refusals: Refusal[] = []
  let rows = 0
  let refusedRows = 0
  let changedRows = 0
  let unchangedRows = 0
  let malformed: CheckedBlock['malformed']
  const parsed = await parse(range, (row) => {
    const outcome = check(row, results)
    const index = rows
    rows += 1
    if (outcome.ok) {
      const { cells, correction, isUnchanged } = outcome
      if (isUnchanged) unchangedRows += 1
      else packer.add(cells, correction)
      if (correction !== undefined && !isUnchanged) changedRows += 1
      return
    }
    refusedRows += 1
    // One refusal is enough.
    if (matching !== undefined) keys[index] = undefined
    const { line } = row
    for (const { field, reason, value } of outcome.refusals) {
      refusals.push({ row: index, line, field, reason, value: value ?? null })
    }
    if (row.isMalformed === true) {
      malformed ??= { row: index, line, reason: outcome.refusals[0]!.reason }
    }
  })
  rest ??= parsed.rest
  const { lines, unreadable, unpackedBytes } = parsed
  return {
    rows,
    refusedRows,
    acceptedRows: rows - refusedRows - unchangedRows,
    changedRows,
    unchangedRows,
    keys,
    lines,
    checked: packer.take(),
    refusals,
    malformed,
    unreadable: unreadable && { row: rows, ...unreadable },
    ...(unpackedBytes !== undefined && { unpackedBytes }),
    ...(rest !== undefined && { rest }),
  }
}

const nothingKept: LookupResults = {
  missing: new Map(),
  seals: new Map(),
  byValue: new Map(),
  binaries: new Map(),
  matches: new Map(),
}
