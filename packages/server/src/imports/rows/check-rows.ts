// Runs in a checking thread.

import { hash } from 'node:crypto'
import type { Refusal, SchemaField } from '@vitrine/contract'
import { noId, readId } from '@vitrine/contract/repo/names'
import { quote } from '@vitrine/contract/problems'
import { textOf } from '@vitrine/contract/values/index'
import { scalarText } from '@vitrine/rows/scalar-text'
import { declaredMime, resolveMime } from '../../values/media-type.ts'
import { bytesDigest } from './packed-rows.ts'
import { addProblem, type RawRow, type RawValue } from './raw-row.ts'
import { sealKey, type FoundBySeal, type FoundBytes, type LookupResults } from './lookups.ts'

/**
 * The cells of a row in the order of the item table's columns, its digests left out: these are over the
 * texts and numbers as they are, unless a cell says otherwise.
 */
export type CheckedRow = (string | number | SealedCell | null)[]

/** A cell that is not its canonical text, which the digest is over. */
export type SealedCell = { cell: string | number; text: string }

export type RowChecker = (
  row: RawRow,
  results: LookupResults,
) => { ok: true; cells: CheckedRow } | { ok: false; refusals: Omit<Refusal, 'row' | 'line'>[] }

/** A cell, one with its canonical text where that is another, or bytes with the media type that is settled. */
type Value = string | number | SealedCell | (FoundBytes & { mime: string })
/** Undefined is an absent value. */
type Outcome = Value | undefined | { reason: string }

/** Prepares to check rows by the rules for single items (`items/conform*.ts`). */
export function prepareChecks(schema: readonly SchemaField[]): RowChecker {
  const checks = schema.map(prepareCheck)
  return (row, results) => {
    if (row.isMalformed === true) return { ok: false, refusals: row.problems }
    const cells: CheckedRow = []
    for (let index = 0; index < schema.length; index += 1) {
      const field = schema[index]!
      const raw = row.values[index]
      const outcome = raw === undefined ? undefined : checks[index]!(raw, results, index)
      if (isRefused(outcome)) {
        addProblem(row, () => {
          return { field: field.name, reason: outcome.reason, value: valueText(raw!) }
        })
        continue
      }
      if (outcome === undefined && field.optional !== true) {
        addProblem(row, () => ({ field: field.name, reason: 'is required' }))
      }
      if (raw?.sha256 !== undefined) {
        const reason = invalidDigest(raw.sha256, declaredId(raw) ?? outcome)
        if (reason !== undefined)
          addProblem(row, () => ({ field: field.name, reason, value: valueText(raw) }))
      }
      if (raw?.seal !== undefined && outcome === undefined) {
        addProblem(row, () => ({ field: field.name, reason: 'has a seal and no value' }))
      }
      if (typeof outcome === 'object' && 'sha256' in outcome) {
        cells.push(outcome.sha256, outcome.mime, outcome.size)
      } else if (outcome !== undefined) cells.push(outcome)
      else if (textOf(field) === undefined) cells.push(null, null, null)
      else cells.push(null)
    }
    if (row.problems.length === 0) return { ok: true, cells }
    const { moreProblems: more = 0 } = row
    const rest = more === 0 ? [] : [{ field: null, reason: `has ${more} more problems` }]
    return { ok: false, refusals: [...row.problems, ...rest] }
  }
}

/** Characters of a value that a report has. */
const reportedMax = 200

/** The beginning of a value as it stands in the file; undefined of bytes and of what is not there. */
function valueText({ value, lookup }: RawValue): string | undefined {
  const text =
    lookup?.value ?? scalarText(value) ?? (isJsonValue(value) ? JSON.stringify(value) : undefined)
  // PostgreSQL keeps no NUL.
  return text?.slice(0, reportedMax).toWellFormed().replaceAll('\0', '\ufffd')
}

function isJsonValue(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Uint8Array)
}

function isRefused(outcome: Outcome): outcome is { reason: string } {
  return typeof outcome === 'object' && 'reason' in outcome
}

function invalidDigest(digest: string, value: Value | undefined): string | undefined {
  if (value === undefined) return 'has a digest and no value'
  const sha256 =
    typeof value === 'object' && 'sha256' in value
      ? value.sha256
      : hash('sha256', typeof value === 'object' ? value.text : String(value))
  return digest === sha256 ? undefined : `has the sha256 ${sha256}`
}

/**
 * Returns the text that the digest beside a sealed reference covers: the id as written in the file, even
 * where it is another here.
 */
function declaredId({ seal, value }: RawValue): number | undefined {
  return seal === undefined ? undefined : readId(scalarText(value) ?? '')
}

type Check = (raw: RawValue, results: LookupResults, index: number) => Outcome

function prepareCheck(field: SchemaField): Check {
  switch (field.type) {
    case 'reference':
      return (raw, { missing, seals, byValue }, index) => {
        if (raw.lookup !== undefined && raw.seal !== undefined) {
          return { reason: 'has a lookup and a seal, and one is enough' }
        }
        if (raw.lookup !== undefined) return lookUp(raw.lookup, byValue.get(index))
        if (raw.value === undefined) return undefined
        const id = readId(scalarText(raw.value) ?? '')
        if (id === undefined) return { reason: noId }
        if (raw.seal !== undefined) {
          const item = seals.get(index)?.get(sealKey({ id, seal: raw.seal }))
          return typeof item === 'number' ? item : { reason: explainSeal(id, field, item) }
        }
        if (missing.get(index)?.has(id) !== true) return id
        return { reason: `there is no item ${id} in ${quote(field.target)}` }
      }
    case 'binary':
      return ({ value, mime }, { binaries }) => {
        if (value === undefined || value === '') return undefined
        const name = value instanceof Uint8Array ? bytesDigest(value) : value
        const binary = typeof name === 'string' ? binaries.get(name) : undefined
        const declared = declaredMime(field, mime ?? mimeByName(field, value, binary?.detected))
        if (!declared.ok) return declared
        if (binary === undefined) {
          const reason = 'names no file of the archive and is the sha256 of no bytes that are kept'
          return { reason }
        }
        const settled = resolveMime(field, declared.mime, binary.detected)
        return settled.ok ? { ...binary, mime: settled.mime } : settled
      }
    default:
      return prepareText(field)
  }
}

/** Prepares the check of a type whose values are written as text, in any form that files may have. */
function prepareText(field: SchemaField): Check {
  const { fromFile, fromJson = fromFile, toCell, toText } = textOf(field)!
  return ({ value, isJson }) => {
    if (value === undefined) return undefined
    const read = isJson === true ? fromJson(value, field) : fromFile(value, field)
    if (!read.ok) return read
    const [cell, text] = [toCell(read.value), toText(read.value)]
    return text === String(cell) ? cell : { cell, text }
  }
}

/** The root of a document of XML may stand far behind its first bytes; its name tells that it is SVG. */
function mimeByName({ mime }: { mime: string }, name: unknown, detected = ''): string | undefined {
  const isSvg = typeof name === 'string' && name.toLowerCase().endsWith('.svg')
  return isSvg && mime === 'image/*' && !detected.startsWith('image/') ? 'image/svg+xml' : undefined
}

function explainSeal(
  id: number,
  { target }: { target: string },
  item: FoundBySeal | undefined,
): string {
  const other = `item ${id} of ${quote(target)} is not the one that the seal is of`
  if (item === 'several') return `${other}, and several others are`
  if (item === 'unsought') return `${other}, and there are too many items to look for that one`
  return `${other}, and no other item is`
}

function lookUp(
  { by, value }: NonNullable<RawValue['lookup']>,
  result: ReturnType<LookupResults['byValue']['get']>,
): number | { reason: string } {
  const byField = result?.get(by)
  if (byField === 'unknown' || byField === undefined) {
    return { reason: `the target has no field ${quote(by)} to look up by` }
  }
  const id = byField.get(value)
  if (typeof id === 'number') return id
  const how = id === 'several' ? 'more than one item has' : 'no item has'
  return { reason: `${how} ${quote(value)} as its ${quote(by)}` }
}
