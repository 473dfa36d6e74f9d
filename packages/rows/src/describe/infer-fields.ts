import { type SchemaField, countCodePoints, limits, octetStream } from '@vitrine/contract'
import { type FieldType, fieldTypes, typeOf } from '@vitrine/contract/values/index'
import { isSpace } from './blank-cell.ts'
import { InvalidValue } from '../invalid-value.ts'
import { ShownValue } from '../workbook/shown-value.ts'
import type { RowBatch } from '../row-batch.ts'
import { prepareFieldNames } from './field-name.ts'
import { detectMime, mimeHeadBytes } from '../detect-mime.ts'
import { textOf } from '../text-of.ts'

/** Field inferred for a column of a file. */
export type InferredColumn = {
  column: string
  /** The longest value, in code points. */
  longest: number
  /** How many rows have no value. */
  missing: number
  field: SchemaField | undefined
  /** Fields of other types that it could be. */
  others?: SchemaField[]
  /** Set where nearly all values are of one type, and the others make it text. */
  doubt?: TypeDoubt
  /** Why it becomes no field, as one sentence without a full stop. */
  leftOut?: string
}

/** A type that most values of a column have. */
export type TypeDoubt = {
  type: FieldType
  fits: number
  present: number
  /** The first values that do not fit, at most 40 characters of each. */
  misfits: { line: number; text: string }[]
}

const misfitsShown = 3
/** Beginnings of binary values compared at most: a column with more of them has no media type. */
const headsMax = 100
const charactersShown = 40

/** The columns of exports that an import gives by itself. */
const givenByImport = ['id', 'createdAt']

const json = typeOf({ type: 'json' }).text!

/** Types of which one is given to a column whose values are all written as it writes them. */
const exactTypes = fieldTypes.filter((type) => typeOf({ type }).inferred !== undefined)

/** How far a type fits the texts of a column. */
type Candidate = {
  type: FieldType
  fits: number
  misfits: number
  first: TypeDoubt['misfits']
}

type Facts = {
  present: number
  /** Cells of CSV or TSV in which there are spaces alone, or nothing between quotes: values of a text only. */
  blank: number
  /** In code points. */
  longest: number
  /** The first bytes of values that are bytes, by what differs between types. */
  heads: Map<string, Uint8Array>
  isText: boolean
  /** Types that fit all texts so far, or nearly all. */
  candidates: Candidate[]
  /** Whether there are lists or objects, which are JSON. */
  isNested: boolean
  /** Why a value is none that a field takes. */
  unfit: string | undefined
}

/** Looks at the rows of a file and says which schema they fit. */
export class FieldInference {
  rows = 0
  /** Rows that cannot be read. */
  unreadable = 0
  #columns: readonly string[] = []
  #facts: Facts[] = []
  readonly #isTyped: boolean

  /** @param isTyped whether the server keeps other types than text and bytes */
  constructor({ isTyped = false } = {}) {
    this.#isTyped = isTyped
  }

  add({ columns, rows, reading }: RowBatch): void {
    this.#columns = columns
    const types = this.#isTyped ? exactTypes : []
    for (let index = this.#facts.length; index < columns.length; index += 1) {
      this.#facts.push({
        present: 0,
        blank: 0,
        longest: 0,
        heads: new Map(),
        isText: false,
        candidates: types.map((type) => ({ type, fits: 0, misfits: 0, first: [] })),
        isNested: false,
        unfit: undefined,
      })
    }
    for (const { line, values, problem } of rows) {
      this.rows += 1
      if (problem !== undefined) {
        this.unreadable += 1
        continue
      }
      // Cells of CSV and TSV are all text; in other formats a text is said to be one.
      const isTyped = reading?.delimiter === undefined
      values.forEach((value, index) => note(this.#facts[index]!, value, { line, isTyped }))
    }
  }

  /** Infers the fields of the columns from all rows that were added. */
  async infer(): Promise<InferredColumn[]> {
    const nameField = await prepareFieldNames(this.#columns)
    const mimes = await Promise.all(this.#facts.map(({ heads }) => detectAll(heads)))
    const taken = new Set<string>()
    return this.#columns.map((column, index): InferredColumn => {
      const facts = this.#facts[index]!
      const absent = this.rows - this.unreadable - facts.present
      const exact = facts.isText
        ? facts.candidates.filter(({ fits, misfits }) => fits > 0 && misfits === 0)
        : []
      const missing = exact.length > 0 ? absent + facts.blank : absent
      const { longest } = facts
      const leftOut = whyLeftOut(column, facts, { columns: this.#columns, isTyped: this.#isTyped })
      if (leftOut !== undefined) return { column, longest, missing, field: undefined, leftOut }
      const name = freeName(nameField(column), taken)
      taken.add(name)
      const optional = absent > 0 ? { optional: true } : {}
      const typedOptional = absent + facts.blank > 0 ? { optional: true } : {}
      if (facts.isNested) {
        return { column, longest, missing, field: { name, type: 'json', ...optional } }
      }
      if (facts.heads.size > 0 && !facts.isText) {
        const mime = mimeOf(mimes[index]!)
        return { column, longest, missing, field: { name, type: 'binary', mime, ...optional } }
      }
      const doubt = exact.length === 0 ? doubtOf(facts) : undefined
      const [field, ...others]: SchemaField[] = [
        ...exact.map(({ type }) => ({ ...plainField(name, type), ...typedOptional })),
        { name, type: 'string', length: roomFor(longest), ...optional },
        ...(doubt === undefined ? [] : [{ ...plainField(name, doubt.type), ...typedOptional }]),
      ]
      return {
        column,
        longest,
        missing,
        field,
        ...(others.length > 0 && { others }),
        ...(doubt !== undefined && { doubt }),
      }
    })
  }
}

function note(
  facts: Facts,
  value: unknown,
  { line, isTyped }: { line: number; isTyped: boolean },
): void {
  if (value === undefined || value === null) return
  facts.present += 1
  if (value instanceof Uint8Array) {
    noteHead(facts.heads, value)
    return
  }
  if (value instanceof InvalidValue) {
    facts.unfit ??= value.reason
    return
  }
  const text = value instanceof ShownValue ? textIn(value) : textOf(value)
  if (text === undefined) {
    const read = json.fromJson!(value)
    if (read.ok) facts.isNested = true
    else facts.unfit ??= read.reason
    return
  }
  facts.isText = true
  if (!isTyped && isSpace(text)) facts.blank += 1
  else if (facts.candidates.length > 0) {
    const isSaidText = isTyped && (typeof value === 'string' || isTextIn(value))
    facts.candidates = facts.candidates.filter(
      (candidate) =>
        staysCandidate(candidate, text, line) &&
        (!isSaidText || typeOf(candidate).inferred!.comesAsText(text)),
    )
  }
  const shown = value instanceof ShownValue ? value.shown : text
  // A text never has more code points than code units, so most need no counting.
  if (shown.length > facts.longest) {
    facts.longest = Math.max(facts.longest, countCodePoints(shown))
  }
}

/** Returns the text by which the type of a cell is told: one that shows zeros before its number is none. */
function textIn({ value, shown }: ShownValue): string {
  return /^0\d/.test(shown) ? shown : String(value)
}

function isTextIn(value: unknown): boolean {
  return value instanceof ShownValue && typeof value.value === 'string'
}

/** Keeps the first bytes of a value, where others do not begin alike. */
function noteHead(heads: Facts['heads'], value: Uint8Array): void {
  if (heads.size >= headsMax) return
  // The others are lengths, in RIFF and ISO media files.
  const key = String.fromCharCode(...value.subarray(0, 3), ...value.subarray(8, 12))
  if (!heads.has(key)) heads.set(key, value.slice(0, mimeHeadBytes))
}

async function detectAll(heads: Facts['heads']): Promise<Set<string>> {
  const mimes = await Promise.all([...heads.values()].map(detectMime))
  const others = heads.size < headsMax ? [] : [octetStream]
  return new Set([...mimes.map((mime) => mime ?? octetStream), ...others])
}

/** Counts a text for a type, or against it; false once the type is not worth being asked about. */
function staysCandidate(candidate: Candidate, text: string, line: number): boolean {
  const { type } = candidate
  if (isCanonical(text, type)) {
    candidate.fits += 1
    return true
  }
  // Read by a type it would be written in another way, which is no mistake: `007` is not 7.
  if (exactTypes.some((each) => isReadable(text, each) && !isCanonical(text, each))) return false
  candidate.misfits += 1
  if (candidate.first.length < misfitsShown) {
    candidate.first.push({ line, text: text.slice(0, charactersShown) })
  }
  // Misfits at the beginning may be outweighed by what follows; a column of texts is not worth reading five times.
  return candidate.misfits <= 20 + candidate.fits / 4
}

/** The type that at least four in five of the values have. */
function doubtOf({ candidates, present, blank }: Facts): TypeDoubt | undefined {
  const [best] = candidates
    .filter(({ fits, misfits }) => fits > 0 && misfits * 4 <= fits)
    .toSorted((a, b) => b.fits - a.fits)
  if (best === undefined) return undefined
  return { type: best.type, fits: best.fits, present: present - blank, misfits: best.first }
}

/** Whether a value is kept by a type as it is written: `007` and `1.50` are not, as their zeros would be lost. */
function isCanonical(text: string, type: FieldType): boolean {
  const field = plainField(type, type)
  const form = typeOf(field).text!
  return text.length <= form.maxBytes(field) && form.fromText(text, field).ok
}

/** A field of a type that columns are given, none of which has keys of its own. */
function plainField(name: string, type: FieldType): SchemaField {
  return { name, type } as SchemaField
}

function isReadable(text: string, type: FieldType): boolean {
  const field = plainField(type, type)
  return typeOf(field).text!.fromFile(text, field).ok
}

function whyLeftOut(
  column: string,
  facts: Facts,
  { columns, isTyped }: { columns: readonly string[]; isTyped: boolean },
): string | undefined {
  if (givenByImport.includes(column)) return 'an import gives its own'
  if (facts.isNested && !isTyped) return 'it has lists or objects, which no field takes'
  // Rows with such a value are refused; where all have one, the column is none that an import takes.
  if (facts.unfit !== undefined && !facts.isText && !facts.isNested) return `it ${facts.unfit}`
  if (facts.longest > limits.stringLength) {
    return `it has a value of ${facts.longest} characters, and fields take ${limits.stringLength}`
  }
  const [base, aspect, ...more] = column.split('.')
  const isAspect = more.length === 0 && ['sha256', 'mime', 'seal'].includes(aspect ?? '')
  return isAspect && columns.includes(base!) ? `it is about ${base}` : undefined
}

/** A quarter more than the longest value, rounded up to 10, 20, 50, 100, 200 and so on. */
function roomFor(longest: number): number {
  const wanted = longest * 1.25
  for (let step = 10; ; step *= 10) {
    for (const room of [step, 2 * step, 5 * step]) {
      if (room >= wanted || room >= limits.stringLength) return Math.min(room, limits.stringLength)
    }
  }
}

/** One media type where all are the same, else what they have in common. */
export function mimeOf(mimes: ReadonlySet<string>): string {
  const [first = octetStream] = mimes
  if (mimes.size < 2) return first
  const family = first.slice(0, first.indexOf('/') + 1)
  return [...mimes].every((mime) => mime.startsWith(family)) ? `${family}*` : octetStream
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2, free = name; ; number += 1) {
    if (!taken.has(free)) return free
    free = `${name.slice(0, 60)}_${number}`
  }
}
