import { limits } from '@vitrine/contract/limits'
import { countKeys, outlineJson } from '@vitrine/rows/json-outline'
import { parseJsonRow } from '@vitrine/rows/parse-json-row'
import type { SourceRow } from '../../../rows/src/row-batch.ts'
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
    if (typeof object === 'string') return { line, values: [], problem: object }
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

/** The object of a line, or why it is none that an import takes. */
function parseObject(text: string): Record<string, unknown> | string {
  const { depth, keys } = outlineJson(text)
  if (depth > limits.rowDepth) return `nests deeper than ${limits.rowDepth} levels`
  let value: unknown
  try {
    value = parseJsonRow(text)
  } catch {
    return 'is not valid JSON'
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return 'is not a JSON object'
  }
  return countKeys(value) < keys ? 'has the same key twice' : (value as Record<string, unknown>)
}
