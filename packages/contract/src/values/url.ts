import { readText } from './read-text.ts'
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
export const noUrl = `must be a URL that begins with http:// or https://, of at most ${urlBytes} bytes, without a user name or password`

/** An address in the web, as it is serialized by the URL Standard (https://url.spec.whatwg.org/#url-serializing). */
export const url: TextType<UrlField, string> = {
  noun: 'a URL',
  summary: 'an address in the web, such as https://example.org/',
  isOrdered: true,
  inferred: undefined,
  scale: 'name',
  operandInput: {},
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
  // A browser leaves these out, or writes them anew; in a cell they are a slip, or part two URLs.
  if (spaces.test(text)) return refuse('must be one URL without spaces: one in it is written %20')
  if (anotherUrl.test(text)) return refuse('must be one URL, and has another one in it')
  const { authority } = beginning.exec(text)?.groups ?? {}
  if (authority === undefined || authority.includes('@')) return refuse(noUrl)
  const parsed = URL.parse(text)
  if (parsed === null || hasEmptyLabel(parsed.hostname)) return refuse(noUrl)
  return parsed.href.length <= urlBytes ? accept(parsed.href) : refuse(noUrl)
}

/** Whitespace, and control characters of ASCII. */
// oxlint-disable-next-line no-control-regex
const spaces = /[\s\u0000-\u001f\u007f]/
/** A URL behind a letter, a digit or a separator; behind others, as in a query, it belongs to the first one. */
const anotherUrl = /(?<!%[0-9a-f]{2})(?<=[a-z0-9.,;|])https?:\/\//i
/** The scheme and the host, written with slashes: a browser would take `https:example.org` and `https:\\a` too. */
const beginning = /^https?:\/\/(?<authority>[^/?#\\]+)(?:\/[^?#\\]*)?(?:[?#]|$)/i

/** Whether there is nothing before a dot of a host name; the last dot stands for the root. */
function hasEmptyLabel(hostname: string): boolean {
  return hostname.replace(/\.$/, '').split('.').includes('')
}
