import { countCodePoints, limits, octetStream, type SchemaField } from '@vitrine/contract'
import { UnfitValue } from '@vitrine/rows/unfit-value'
import type { RowBatch } from './row-batch.ts'
import { prepareFieldNames } from './field-name.ts'
import { imageType } from './image-type.ts'
import { textOf } from './text-of.ts'

/** What a column of a file becomes. */
export type InferredColumn = {
  column: string
  /** The longest value, in code points. */
  longest: number
  /** How many rows have no value. */
  missing: number
  field: SchemaField | undefined
  /** Why it becomes no field, as one sentence without a full stop. */
  leftOut?: string
}

/** The columns of exports that an import gives by itself. */
const givenByImport = ['id', 'createdAt']

type Facts = {
  present: number
  /** In code points. */
  longest: number
  /** Media types of values that are bytes. */
  mimes: Set<string>
  isText: boolean
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

  add({ columns, rows }: RowBatch): void {
    this.#columns = columns
    for (let index = this.#facts.length; index < columns.length; index += 1) {
      this.#facts.push({
        present: 0,
        longest: 0,
        mimes: new Set(),
        isText: false,
        isNested: false,
        unfit: undefined,
      })
    }
    for (const { values, problem } of rows) {
      this.rows += 1
      if (problem !== undefined) {
        this.unreadable += 1
        continue
      }
      values.forEach((value, index) => note(this.#facts[index]!, value))
    }
  }

  /** What the columns become, by all rows that were looked at. */
  async infer(): Promise<InferredColumn[]> {
    const nameField = await prepareFieldNames(this.#columns)
    const taken = new Set<string>()
    return this.#columns.map((column, index): InferredColumn => {
      const facts = this.#facts[index]!
      const missing = this.rows - this.unreadable - facts.present
      const { longest } = facts
      const leftOut = whyLeftOut(column, facts, this.#columns)
      if (leftOut !== undefined) return { column, longest, missing, field: undefined, leftOut }
      const name = freeName(nameField(column), taken)
      taken.add(name)
      const optional = missing > 0 ? { optional: true } : {}
      const field: SchemaField =
        facts.mimes.size > 0 && !facts.isText
          ? { name, type: 'binary', mime: mimeOf(facts.mimes), ...optional }
          : { name, type: 'string', length: roomFor(longest), ...optional }
      return { column, longest, missing, field }
    })
  }
}

function note(facts: Facts, value: unknown): void {
  if (value === undefined || value === null) return
  facts.present += 1
  if (value instanceof Uint8Array) {
    facts.mimes.add(imageType(value) ?? octetStream)
    return
  }
  if (value instanceof UnfitValue) {
    facts.unfit ??= value.reason
    return
  }
  const text = textOf(value)
  if (text === undefined) {
    facts.isNested = true
    return
  }
  facts.isText = true
  // A text never has more code points than code units, so most need no counting.
  if (text.length > facts.longest) {
    facts.longest = Math.max(facts.longest, countCodePoints(text))
  }
}

function whyLeftOut(column: string, facts: Facts, columns: readonly string[]): string | undefined {
  if (givenByImport.includes(column)) return 'an import gives its own'
  if (facts.isNested) return 'it has lists or objects, which no field takes'
  // Rows with such a value are refused; where all have one, the column is none that an import takes.
  if (facts.unfit !== undefined && !facts.isText) return `it ${facts.unfit}`
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
