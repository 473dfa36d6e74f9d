// Runs in a checking thread.

import type { Refusal, SchemaField } from '@vitrine/contract'
import { readId } from '@vitrine/contract/repo/names'
import { textOf } from '@vitrine/contract/values/index'
import { scalarText } from '@vitrine/rows/scalar-text'
import type { RowCorrection } from '../../store/import-items.ts'
import {
  type Outcome,
  type SealedCell,
  type Value,
  bytesOf,
  digestOf,
  isBinary,
  isRefused,
  prepareCheck,
} from './check-value.ts'
import type { LookupResults } from './lookups.ts'
import type { Match, MatchedItem, RowMatching } from './match-rows.ts'
import { addProblem, type RawRow, type RawValue } from './raw-row.ts'

/**
 * The cells of a row in the order of the item table's columns, its digests left out: these are over the
 * texts and numbers as they are, unless a cell says otherwise.
 */
export type CheckedRow = (string | number | SealedCell | null)[]

export type RowChecker = (
  row: RawRow,
  results: LookupResults,
) =>
  | { ok: true; cells: CheckedRow; correction?: RowCorrection | undefined; isUnchanged: boolean }
  | { ok: false; refusals: Omit<Refusal, 'row' | 'line'>[] }

/**
 * Prepares to check rows.
 * @param matching where rows are matched with items: what a row does not say of a field is as that of its item
 */
export function prepareChecks(schema: readonly SchemaField[], matching?: RowMatching): RowChecker {
  const checks = schema.map(prepareCheck)
  return (row, results) => {
    if (row.isMalformed === true) return { ok: false, refusals: row.problems }
    const item = matching && itemOf(matching.find(row, results), row)
    const cells: CheckedRow = []
    let isUnchanged = item !== undefined
    for (let index = 0; index < schema.length; index += 1) {
      const field = schema[index]!
      const raw = row.values[index]
      const stored = item?.values[index]
      const keeps =
        item !== undefined && (!matching!.covers(raw, index) || hasSameBytes(raw, stored, results))
      const outcome = keeps
        ? stored
        : raw === undefined
          ? undefined
          : checks[index]!(raw, results, index)
      if (isRefused(outcome)) {
        addProblem(row, () => {
          return { field: field.name, reason: outcome.reason, value: valueText(raw!) }
        })
        continue
      }
      if (outcome === undefined && field.optional !== true) {
        addProblem(row, () => ({ field: field.name, reason: 'is required' }))
      }
      if (raw !== undefined) addDigestProblem(row, field, raw, outcome)
      putCells(cells, field, outcome)
      const isStored = keeps || isSame(outcome, stored)
      if (item?.correction.withdraws === true && !isStored) {
        const reason = 'must be as it is in the item that is withdrawn'
        addProblem(row, () => ({ field: field.name, reason, value: raw && valueText(raw) }))
      }
      isUnchanged &&= isStored
    }
    if (row.problems.length === 0) {
      isUnchanged &&= !item!.isChange
      return { ok: true, cells, correction: item?.correction, isUnchanged }
    }
    const { moreProblems: more = 0 } = row
    const rest = more === 0 ? [] : [{ field: null, reason: `has ${more} more problems` }]
    return { ok: false, refusals: [...row.problems, ...rest] }
  }
}

function itemOf(match: Match, row: RawRow): MatchedItem | undefined {
  if (match === 'none') return undefined
  if ('correction' in match) return match
  addProblem(row, () => match)
  return undefined
}

function addDigestProblem(
  row: RawRow,
  { name }: SchemaField,
  raw: RawValue,
  outcome: Value | undefined,
): void {
  if (raw.sha256 !== undefined) {
    const reason = invalidDigest(raw.sha256, declaredId(raw) ?? outcome)
    if (reason !== undefined)
      addProblem(row, () => ({ field: name, reason, value: valueText(raw) }))
  }
  if (raw.seal !== undefined && outcome === undefined) {
    addProblem(row, () => ({ field: name, reason: 'has a seal and no value' }))
  }
}

function putCells(cells: CheckedRow, field: SchemaField, value: Value | undefined): void {
  if (isBinary(value)) cells.push(value.sha256, value.mime, value.size)
  else if (value !== undefined) cells.push(value)
  else if (textOf(field) === undefined) cells.push(null, null, null)
  else cells.push(null)
}

/** Whether a row says nothing of a field but the bytes that its item has: their media type stays. */
function hasSameBytes(
  raw: RawValue | undefined,
  stored: Value | undefined,
  { binaries }: LookupResults,
): boolean {
  if (raw === undefined || raw.mime !== undefined || !isBinary(stored)) return false
  return bytesOf(raw, binaries)?.sha256 === stored.sha256
}

function isSame(a: Outcome, b: Outcome): boolean {
  if (typeof a !== 'object' || typeof b !== 'object') return a === b
  if ('text' in a) return 'text' in b && a.text === b.text
  return 'sha256' in a && 'sha256' in b && a.sha256 === b.sha256 && a.mime === b.mime
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

function invalidDigest(digest: string, value: Value | undefined): string | undefined {
  if (value === undefined) return 'has a digest and no value'
  const sha256 = digestOf(value)
  return digest === sha256 ? undefined : `has the sha256 ${sha256}`
}

/**
 * Returns the text that the digest beside a sealed reference covers: the id as written in the file, even
 * where it is another here.
 */
function declaredId({ seal, value }: RawValue): number | undefined {
  return seal === undefined ? undefined : readId(scalarText(value) ?? '')
}
