import { exportDataset, type Client } from '@vitrine/client'
import type { Exploration, Item } from '@vitrine/contract'
import { namedState } from '../../../data/named-state.ts'

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
