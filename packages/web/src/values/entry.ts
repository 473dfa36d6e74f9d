import {
  type ShownField,
  countCodePoints,
  mimeMatches,
  octetStream,
  readId,
} from '@vitrine/contract'
import { showBytes } from '../ui/show-amounts.ts'
import { jsonProblem } from './json-problem.ts'
import { isKnown, readEntry } from './read-entry.ts'

/** The entry of a field: text as typed, or a file. '' and undefined are no entry. */
export type Entry = string | File | undefined

export function isEmpty(entry: Entry): entry is '' | undefined {
  return entry === undefined || entry === ''
}

/**
 * Checks an entry.
 * @param maxBytes size of the largest file that the server takes
 * @returns the error as a sentence without a full stop; undefined for a valid entry
 */
export function checkEntry(
  field: ShownField,
  entry: Entry,
  maxBytes = Infinity,
): string | undefined {
  if (isEmpty(entry)) {
    return field.optional === true || !isKnown(field) ? undefined : 'This field is required'
  }
  switch (field.type) {
    case 'string':
      return typeof entry === 'string'
        ? (checkText(entry, field.length) ?? checkReading(field, entry))
        : undefined
    case 'reference':
      return typeof entry === 'string' ? checkReference(entry) : undefined
    case 'binary':
      return entry instanceof File ? checkFile(entry, field.mime, maxBytes) : undefined
    case 'json':
      return typeof entry === 'string' ? checkJson(field, entry) : undefined
    default:
      return typeof entry === 'string' ? checkReading(field, entry) : undefined
  }
}

function checkJson(field: ShownField, typed: string): string | undefined {
  const problem = jsonProblem(typed)
  return problem === undefined ? checkReading(field, typed) : `Must be JSON: ${problem}`
}

function checkReading(field: ShownField, typed: string): string | undefined {
  const read = readEntry(field, typed)
  return read.ok ? undefined : capitalized(read.reason)
}

/** Makes a reason a sentence of its own. */
export function capitalized(reason: string): string {
  return reason.charAt(0).toUpperCase() + reason.slice(1)
}

function checkText(text: string, length: number | undefined): string | undefined {
  const count = countCodePoints(text)
  return length !== undefined && count > length
    ? `At most ${length} characters fit, and there are ${count}`
    : undefined
}

function checkReference(typed: string): string | undefined {
  if (readId(typed) !== undefined) return undefined
  return /^\s*[-+.\d]/.test(typed)
    ? 'An item number is a positive whole number'
    : 'Choose an item of the list, or type its id'
}

function checkFile(
  { name, size, type }: File,
  mime: string | undefined,
  maxBytes: number,
): string | undefined {
  if (size > maxBytes) {
    return `The server takes files up to ${showBytes(maxBytes)}, and ${name} has ${showBytes(size)}`
  }
  if (mime === undefined || mimeMatches(mime, type)) return undefined
  return type === ''
    ? `This browser does not know what type of file ${name} is, and the field takes ${mime}`
    : `The field takes ${mime}, and ${name} is ${type}`
}

/**
 * Returns the media type that the user may declare for a refused file: the field's type if the browser
 * knows none, or `application/octet-stream`, which fits any file (RFC 2046 §4.5.1).
 */
export function declarableType({ mime }: ShownField, file: File): string | undefined {
  if (mime === undefined || mimeMatches(mime, file.type) || mime.endsWith('/*')) return undefined
  return file.type === '' || mime === octetStream ? mime : undefined
}

/** Props of the input of a type. */
export type EditProps<E extends Entry> = {
  field: ShownField
  /** The id of the input. */
  id: string
  entry: E | undefined
  error: string | undefined
  /** `leftOut` is the number of dropped files that were not taken. */
  onChange: (entry: E | undefined, leftOut?: number) => void
  /** Called when the input starts or stops holding a part of a value. */
  onUnfinished: (isUnfinished: boolean) => void
}
