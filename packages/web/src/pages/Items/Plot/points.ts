import { type Client, exportDataset } from '@vitrine/client'
import {
  type Comparison,
  type Exploration,
  type Item,
  type ShownField,
  plainText,
} from '@vitrine/contract'
import type { PlotOptions } from '@observablehq/plot'
import { namedState } from '../../../data/named-state.ts'
import type { Lands } from './lands.ts'

/** How many items are drawn at most, and how many bytes are read for them: an item may have long texts beside. */
const mostPoints = 10_000
const mostBytes = 64 * 1024 * 1024

export type Value = Item['data'][string] | undefined
/** An item, and what it has in the columns that are drawn. */
export type Point = { id: number; x: Value; y: Value }

type Options = { exploration: Exploration; x: string; y: string; signal: AbortSignal }

/** Reads two columns of the first items of what is asked. */
export async function readPoints(
  client: Client,
  datasetId: string,
  { exploration, x, y, signal }: Options,
): Promise<Point[]> {
  const decoder = new TextDecoder()
  const points: Point[] = []
  let bytes = 0
  const { datasetId: name, ...state } = namedState(datasetId)
  const pieces = exportDataset(client, name, {
    ...exploration,
    ...state,
    format: 'ndjson',
    to: mostPoints,
    signal,
  })
  let rest = ''
  // Leaving the loop cancels what is not read.
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const row = JSON.parse(line) as { id: number } & Record<string, Value | null>
      points.push({ id: row.id, x: row[x] ?? undefined, y: row[y] ?? undefined })
    }
    bytes += piece.length
    if (bytes > mostBytes) break
  }
  return points
}

export type PointOptions = {
  x: ShownField
  y: ShownField
  /** Points with a value in both columns. */
  points: readonly Point[]
  /** The label of what a reference leads to. */
  labelOf: (id: string) => string | undefined
  /** Coasts that a map shows below its dots, once they are loaded. */
  lands: Lands | undefined
}

/** Target of a press on something drawn: an item, or a filter for those of which it is the mean. */
export type Picked = { itemId: number } | { comparison: Comparison }

/** Something drawn, which leads somewhere. */
export type Pickable = { pick: Picked }

export type PointPlot = {
  title: string
  draw: ((width: number) => PlotOptions) | undefined
  /** Notes on what is left out. */
  notes: readonly string[]
  heads: readonly string[]
  rows: readonly (Pickable & { name: string; values: readonly string[] })[]
}

/** Items as rows, each of which leads to its item. */
export function pointRows(points: readonly Point[]): PointPlot['rows'] {
  return points.map(({ id, x, y }) => ({
    name: pointText(x),
    values: [pointText(y)],
    pick: { itemId: id },
  }))
}

/** Returns the tooltip of an item's dot. */
export function pointTitle(x: ShownField, y: ShownField, point: Point): string {
  return `${x.name} ${pointText(point.x)}\n${y.name} ${pointText(point.y)}`
}

/** A value as it is told beside what is drawn. */
export function pointText(value: Value): string {
  return value === undefined ? '' : plainText(value)
}

/** A moment without what is zero at its end. */
export function timeText(at: Date): string {
  return at
    .toISOString()
    .replace(/(T00:00:00)?\.000Z$/, (end) => (end.startsWith('T') ? '' : 'Z'))
    .replace('T', ' ')
}
