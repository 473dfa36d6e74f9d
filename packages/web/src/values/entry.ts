import { countCodePoints, mimeMatches, octetStream, type ShownField } from '@vitrine/contract'
import { showBytes } from '../ui/show-amounts.ts'

/** What is entered for a field: text, the digits of a reference, or a file. '' and undefined are nothing. */
export type Entry = string | File | undefined

export function isEmpty(entry: Entry): entry is '' | undefined {
  return entry === undefined || entry === ''
}

/**
 * What is wrong with an entry, as one sentence without a full stop; undefined if nothing is.
 * `maxBytes` is the size of the largest file that the server takes.
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
      return typeof entry === 'string' ? checkText(entry, field.length) : undefined
    case 'reference':
      return typeof entry === 'string' ? checkReference(entry) : undefined
    case 'binary':
      return entry instanceof File ? checkFile(entry, field.mime, maxBytes) : undefined
    default:
      return undefined
  }
}

function isKnown({ type }: ShownField): boolean {
  return type === 'string' || type === 'reference' || type === 'binary'
}

function checkText(text: string, length: number | undefined): string | undefined {
  const count = countCodePoints(text)
  return length !== undefined && count > length
    ? `At most ${length} characters fit, and there are ${count}`
    : undefined
}

function checkReference(digits: string): string | undefined {
  return /^[1-9]\d*$/.test(digits) && Number.isSafeInteger(Number(digits))
    ? undefined
    : 'An item number is a positive whole number'
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
 * The media type under which a refused file may be sent all the same: where the browser knows none,
 * the user may say that it is the field's, and any file is a stream of octets (RFC 2046 §4.5.1).
 */
export function declarableType({ mime }: ShownField, file: File): string | undefined {
  if (mime === undefined || mimeMatches(mime, file.type) || mime.endsWith('/*')) return undefined
  return file.type === '' || mime === octetStream ? mime : undefined
}
