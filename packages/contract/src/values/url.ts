import { readText } from '../read-text.ts'
import {
  accept,
  canonicalOnly,
  refuse,
  textComparisons,
  trimmed,
  type FieldOf,
  type Read,
  type TextType,
} from './type-definition.ts'

export type UrlField = FieldOf<'url'>

const urlBytes = 8000
/** Why a text is no URL. */
export const noUrl = `must be a URL with http or https of at most ${urlBytes} bytes, without a user name or password`

/** An address in the web, as it is serialized by the URL Standard (https://url.spec.whatwg.org/#url-serializing). */
export const url: TextType<UrlField, string> = {
  noun: 'a URL',
  summary: 'an address in the web, such as https://example.org/',
  isOrdered: true,
  operators: textComparisons,
  literal: (input, { isOrdering }) => {
    const read = readText(input, isOrdering)
    return read.ok && !isOrdering ? readUrl(read.value) : read
  },
  text: {
    cell: 'text',
    toCell: (address) => address,
    fromCell: String,
    toText: (address) => address,
    fromText: (text) => canonicalOnly(text, readUrl(text), String),
    fromFile: readUrl,
    forms:
      '`https://example.org` and `HTTP://Example.org:80/ü` with `http` or `https`; kept as a browser writes them',
    maxBytes: () => urlBytes,
    tooLong: () => noUrl,
  },
}

/** Whether a text can be a link: what a field of this type would take. */
export function isWebAddress(text: string): boolean {
  return readUrl(text).ok
}

function readUrl(input: unknown): Read<string> {
  const text = typeof input === 'string' ? trimmed(input) : ''
  // Line breaks and tabs inside would be left out.
  const parsed = /[\t\r\n]/.test(text) ? null : URL.parse(text)
  const isWeb = parsed !== null && ['http:', 'https:'].includes(parsed.protocol)
  const isOpen = isWeb && parsed.username === '' && parsed.password === ''
  return isOpen && parsed.href.length <= urlBytes ? accept(parsed.href) : refuse(noUrl)
}
