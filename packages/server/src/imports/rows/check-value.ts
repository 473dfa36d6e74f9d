// Runs in a checking thread.

import { hash } from 'node:crypto'
import type { SchemaField } from '@vitrine/contract'
import { noId, readId } from '@vitrine/contract/repo/names'
import { quote } from '@vitrine/contract/problems'
import { textOf } from '@vitrine/contract/values/index'
import { scalarText } from '@vitrine/rows/scalar-text'
import { declaredMime, resolveMime } from '../../values/media-type.ts'
import { bytesDigest } from './packed-rows.ts'
import type { RawValue } from './raw-row.ts'
import { sealKey, type FoundBySeal, type FoundBytes, type LookupResults } from './lookups.ts'

/** A cell that is not its canonical text, which the digest is over. */
export type SealedCell = { cell: string | number; text: string }

/** A cell, one with its canonical text where that is another, or bytes with the media type that is settled. */
export type Value = string | number | SealedCell | BinaryValue
export type BinaryValue = Pick<FoundBytes, 'sha256' | 'size'> & { mime: string }
/** Undefined is an absent value. */
export type Outcome = Value | undefined | { reason: string }

export function isRefused(outcome: Outcome): outcome is { reason: string } {
  return typeof outcome === 'object' && 'reason' in outcome
}

export function isBinary(value: Value | undefined): value is BinaryValue {
  return typeof value === 'object' && 'sha256' in value
}

/** Returns the sha256 of a value, in hexadecimal. */
export function digestOf(value: Value): string {
  if (isBinary(value)) return value.sha256
  return hash('sha256', typeof value === 'object' ? value.text : String(value))
}

export type Check = (raw: RawValue, results: LookupResults, index: number) => Outcome

/** Prepares to check the values of a field by the rules for single items (`items/conform*.ts`). */
export function prepareCheck(field: SchemaField): Check {
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
      return (raw, { binaries }) => {
        const { value, mime } = raw
        if (value === undefined || value === '') return undefined
        const binary = bytesOf(raw, binaries)
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

/** Finds the bytes that a value is, or names. */
export function bytesOf(
  { value }: RawValue,
  binaries: LookupResults['binaries'],
): FoundBytes | undefined {
  const name = value instanceof Uint8Array ? bytesDigest(value) : value
  return typeof name === 'string' ? binaries.get(name) : undefined
}

/** Prepares the check of a type whose values are written as text, in any form that files may have. */
function prepareText(field: SchemaField): Check {
  const { fromFile, fromJson = fromFile, toCell, toText } = textOf(field)!
  return ({ value, isJson }) => {
    if (value === undefined) return undefined
    const read = isJson === true ? fromJson(value, field) : fromFile(value, field)
    if (!read.ok) return read
    return sealedCell(toCell(read.value), toText(read.value))
  }
}

/** Returns a cell with its canonical text, unless that is the same. */
export function sealedCell(cell: string | number, text: string): string | number | SealedCell {
  return text === String(cell) ? cell : { cell, text }
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
