import type { SourceRow } from './row-batch.ts'
import { requireRowLength, tooLong } from './row-length.ts'
import type { RowReader } from './row-reader.ts'

/** Reads NDJSON, one object a line, as its text comes. Columns are added as keys are met. */
export function createNdjsonReader(): RowReader {
  const indexes = new Map<string, number>()
  const columns: string[] = []
  let rest = ''
  let line = 0
  const indexOf = (key: string): number => {
    const known = indexes.get(key)
    if (known !== undefined) return known
    indexes.set(key, columns.length)
    return columns.push(key) - 1
  }
  const toRow = (text: string): SourceRow | undefined => {
    line += 1
    if (text.trim() === '') return undefined
    const object = parseObject(text)
    if (object === undefined) return { line, values: [], problem: 'is not a JSON object' }
    const values: unknown[] = []
    for (const key of Object.keys(object)) values[indexOf(key)] = object[key]
    return { line, values }
  }
  return {
    columns,
    read: (text, isLast) => {
      const lines = (rest + text).split('\n')
      rest = isLast ? '' : lines.pop()!
      const rows = lines.map(toRow).filter((row) => row !== undefined)
      requireRowLength(rest, `Line ${line + 1}: the row ${tooLong}`)
      return rows
    },
  }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
