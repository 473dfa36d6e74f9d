import {
  isFieldType,
  typeOf,
  type DatasetInfo,
  type ShownField,
  type ValueScale,
} from '@vitrine/contract'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'

export type PlotMark = 'bars' | 'lines' | 'dots' | 'map'

/** Columns and mark of a plot. */
export type PlotChoice = {
  x: ShownField
  y?: ShownField | undefined
  mark: PlotMark
  /** Possible marks, the default first. */
  marks: readonly PlotMark[]
}

/** Undefined of a type that no plot shows. */
export function scaleOf({ type }: ShownField): ValueScale | undefined {
  return isFieldType(type) ? typeOf({ type }).scale : undefined
}

export function plottedFields({ schema }: DatasetInfo): ShownField[] {
  return schema.filter((field) => scaleOf(field) !== undefined)
}

/** The fields that can be drawn against another one; names take means of numbers. */
export function partnersOf(x: ShownField, fields: readonly ShownField[]): ShownField[] {
  const scalesOfY = scaleOf(x) === 'name' ? ['number'] : ['number', 'time']
  return fields.filter((y) => y.name !== x.name && scalesOfY.includes(scaleOf(y)!))
}

/** Reads which columns an address asks for, or else takes the usual ones; undefined where none can be plotted. */
export function plotChoice(info: DatasetInfo, search: URLSearchParams): PlotChoice | undefined {
  const fields = plottedFields(info)
  const named = fields.find(({ name }) => name === search.get('x'))
  const places = named === undefined ? placeFields(fields) : undefined
  const x = named ?? places?.[0] ?? usualField(fields)
  if (x === undefined) return undefined
  const y =
    named === undefined
      ? places?.[1]
      : partnersOf(x, fields).find(({ name }) => name === search.get('y'))
  const marks = marksOf(x, y)
  return { x, y, marks, mark: marks.find((mark) => mark === search.get('mark')) ?? marks[0]! }
}

function marksOf(x: ShownField, y: ShownField | undefined): readonly PlotMark[] {
  const isTime = scaleOf(x) === 'time'
  if (y === undefined) return isTime ? ['lines', 'bars'] : ['bars']
  if (scaleOf(x) === 'name') return ['bars']
  if (placeFields([x, y]) !== undefined) return ['map', 'dots']
  return isTime && scaleOf(y) === 'number' ? ['lines', 'dots'] : ['dots']
}

/** The first field that says more than a text of its own for each item. */
function usualField(fields: readonly ShownField[]): ShownField | undefined {
  const isText = ({ type, choices }: ShownField) =>
    type === 'url' || (type === 'string' && choices === undefined)
  return fields.find((field) => !isText(field)) ?? fields[0]
}

const words = {
  longitude: ['lon', 'lng', 'long', 'longitude'],
  latitude: ['lat', 'latitude'],
}

/** The first fields of numbers named as a longitude and a latitude; undefined without both. */
export function placeFields(fields: readonly ShownField[]): [ShownField, ShownField] | undefined {
  const find = (of: keyof typeof words) =>
    fields.find(
      ({ name, type }) =>
        (type === 'number' || type === 'integer') &&
        wordsOf(name).some((word) => words[of].includes(word)),
    )
  const [longitude, latitude] = [find('longitude'), find('latitude')]
  return longitude && latitude && [longitude, latitude]
}

/** The words of a name such as `start_lat` or `startLat`. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
}

/** Parts of a plot in the address. */
export type PlotParts = { x: string; y?: string | undefined; mark?: string | undefined }

/** Reads the plot in the address; returns how to change it. */
export function usePlotChoice(info: DatasetInfo) {
  const [search, setSearch] = useSearchParams()
  const choice = useMemo(() => plotChoice(info, search), [info, search])
  const change = (parts: PlotParts) =>
    setSearch(
      (now) => {
        const changed = new URLSearchParams(now)
        for (const name of ['x', 'y', 'mark'] as const) {
          const part = parts[name]
          if (part === undefined) changed.delete(name)
          else changed.set(name, part)
        }
        return changed
      },
      { replace: true, preventScrollReset: true },
    )
  return { choice, change }
}
