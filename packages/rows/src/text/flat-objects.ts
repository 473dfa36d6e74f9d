import { rowNumber } from './parse-json-row.ts'

const utf8 = { encoder: new TextEncoder(), decoder: new TextDecoder('utf-8', { ignoreBOM: true }) }

const space = 0x20
const tab = 0x09
const carriageReturn = 0x0d
const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const backslash = 0x5c
const opening = 0x7b
const closing = 0x7d

const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y
const literals: [text: string, value: boolean | null][] = [
  ['true', true],
  ['false', false],
  ['null', null],
]
/** The names of an object that are numbers come first, wherever they stand. */
const startsAsNumber = /^[0-9]/

/** The author of a file chooses its keys, so not all of them are kept. */
const knownMax = 10_000
const keyLengthMax = 200

type Key<About> = {
  key: string
  about: About
  /** The row that had it last. */
  row: number
  /** The key that followed it the last time. */
  next: Key<About> | undefined
}

type Told<Row, About> = (row: Row, key: string, about: About, value: unknown) => void

/**
 * Reads objects of JSON that hold neither objects nor lists nor escapes, each key once, as most rows are:
 * in half of the time of `JSON.parse`, and without making them. What is different is left to that, also to
 * say whether it is JSON at all.
 */
export class FlatObjects<Row, About> {
  readonly #aboutKey: (key: string) => About
  readonly #tell: Told<Row, About>
  readonly #known = new Map<string, Key<About>>()
  #first: Key<About> | undefined
  #rows = 0
  /** End of the value that was read last. */
  #end = 0

  /** Looks a key up once; each value under it gets the result. */
  constructor(aboutKey: (key: string) => About, tell: Told<Row, About>) {
    this.#aboutKey = aboutKey
    this.#tell = tell
  }

  /** Tells the members of the object in a line; `false`, after some perhaps, where it is none of these. */
  read(row: Row, text: string, from: number, to: number): boolean {
    this.#rows += 1
    let at = afterSpace(text, from)
    if (text.charCodeAt(at) !== opening) return false
    at = afterSpace(text, at + 1)
    let before: Key<About> | undefined
    if (text.charCodeAt(at) === closing) return afterSpace(text, at + 1) >= to
    for (;;) {
      const key = this.#readKey(text, at, before)
      if (key === undefined || key.row === this.#rows) return false
      key.row = this.#rows
      before = key
      at = afterSpace(text, this.#end)
      if (text.charCodeAt(at) !== colon) return false
      const value = this.#readValue(text, afterSpace(text, at + 1))
      if (value === undefined) return false
      this.#tell(row, key.key, key.about, value)
      at = afterSpace(text, this.#end)
      const code = text.charCodeAt(at)
      if (code === closing) return afterSpace(text, at + 1) >= to
      if (code !== comma) return false
      at = afterSpace(text, at + 1)
    }
  }

  #readKey(text: string, at: number, before: Key<About> | undefined): Key<About> | undefined {
    if (text.charCodeAt(at) !== quote) return undefined
    const likely = before === undefined ? this.#first : before.next
    if (likely !== undefined) {
      const end = at + 1 + likely.key.length
      if (text.charCodeAt(end) === quote && text.startsWith(likely.key, at + 1)) {
        this.#end = end + 1
        return likely
      }
    }
    const key = this.#readString(text, at)
    if (key === undefined) return undefined
    const column = this.#known.get(key) ?? this.#learn(key)
    if (column === undefined) return undefined
    if (before === undefined) this.#first = column
    else before.next = column
    return column
  }

  #learn(slice: string): Key<About> | undefined {
    const isFull = this.#known.size === knownMax
    if (isFull || slice.length > keyLengthMax || startsAsNumber.test(slice)) return undefined
    // Memory of its own: a slice would keep all of the text.
    const key = utf8.decoder.decode(utf8.encoder.encode(slice))
    const learned = { key, about: this.#aboutKey(key), row: 0, next: undefined }
    this.#known.set(key, learned)
    return learned
  }

  #readValue(text: string, at: number): unknown {
    const code = text.charCodeAt(at)
    if (code === quote) return this.#readString(text, at)
    number.lastIndex = at
    if (number.test(text)) {
      this.#end = number.lastIndex
      const source = text.slice(at, this.#end)
      return rowNumber(Number(source), source)
    }
    const literal = literals.find(([each]) => text.startsWith(each, at))
    if (literal === undefined) return undefined
    this.#end = at + literal[0].length
    return literal[1]
  }

  #readString(text: string, at: number): string | undefined {
    for (let end = at + 1; ; end += 1) {
      const code = text.charCodeAt(end)
      if (code === quote) {
        this.#end = end + 1
        return text.slice(at + 1, end)
      }
      // Also where the text has ended, of which no character is a number.
      if (!(code >= space) || code === backslash) return undefined
    }
  }
}

function afterSpace(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== space && code !== tab && code !== carriageReturn) return at
    at += 1
  }
}
