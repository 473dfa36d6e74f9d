import type { DatasetInfo, ShownField } from '@vitrine/contract'

export type PlotMark = 'bars' | 'lines'

/** What a plot shows, and how. */
export type PlotChoice = {
  x: ShownField
  mark: PlotMark
  /** What it may be drawn with; first what it is drawn with where nobody chose. */
  marks: readonly PlotMark[]
}

/** What a column's values are to a plot: measured, in time, or names of something. */
type Scale = 'number' | 'time' | 'name'

const scales: Readonly<Record<string, Scale>> = {
  integer: 'number',
  number: 'number',
  date: 'time',
  timestamp: 'time',
  string: 'name',
  boolean: 'name',
  reference: 'name',
  url: 'name',
}

/** Undefined of a type that no plot shows. */
function scaleOf({ type }: ShownField): Scale | undefined {
  return scales[type]
}

export function plottedFields({ schema }: DatasetInfo): ShownField[] {
  return schema.filter((field) => scaleOf(field) !== undefined)
}

/** Reads which columns an address asks for; undefined where none can be plotted. */
export function plotChoice(info: DatasetInfo, search: URLSearchParams): PlotChoice | undefined {
  const fields = plottedFields(info)
  const x = fields.find(({ name }) => name === search.get('x')) ?? usualField(fields)
  if (x === undefined) return undefined
  const marks = marksOf(x)
  return { x, marks, mark: marks.find((mark) => mark === search.get('mark')) ?? marks[0]! }
}

function marksOf(x: ShownField): readonly PlotMark[] {
  return scaleOf(x) === 'time' ? ['lines', 'bars'] : ['bars']
}

/** The first field that says more than a text of its own for each item. */
function usualField(fields: readonly ShownField[]): ShownField | undefined {
  const isText = ({ type, choices }: ShownField) =>
    type === 'url' || (type === 'string' && choices === undefined)
  return fields.find((field) => !isText(field)) ?? fields[0]
}
