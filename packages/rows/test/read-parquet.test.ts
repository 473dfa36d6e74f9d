import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FieldInference } from '../src/describe/infer-fields.ts'
import { readParquet } from '../src/parquet/read-parquet.ts'

/** Written by pyarrow 26: two row groups, zstd; text, 64-bit integers, bytes, lists, timestamps. */
const base64 =
  'UEFSMRUEFSAVMkwVBBUAEgAAKLUv/SAQgQAABAAAAExha2UEAAAATWlsbBUAFRIVJCwVBBUQFQYVBhwAAAAotS/9IAlJ' +
  'AAACAAAABAEBAwIVBBUgFSRMFQQVABIAACi1L/0gEE0AABgBABABAAfAAhUAFRIVJCwVBBUQFQYVBhwAAAAotS/9IAlJ' +
  'AAACAAAABAEBAwIVBBUiFTRMFQQVABIAACi1L/0gEYkAAAQAAACJUE5HBQAAAIlQTkd4FQAVEhUkLBUEFRAVBhUGHAAA' +
  'ACi1L/0gCUkAAAIAAAAEAQEDAhUEFQoVHEwVAhUAEgAAKLUv/SAFKQAAAQAAAGEVABUgFTIsFQQVEBUGFQYcAAAAKLUv' +
  '/SAQgQAAAgAAAAQAAwAAAAMHAAECABUEFRAVIkwVAhUAEgAAKLUv/SAIQQAAiIypfJsBAAAVABUSFSQsFQQVEBUGFQYc' +
  'AAAAKLUv/SAJSQAAAgAAAAQBAQQAFQQVABUSTBUAFQASAAAotS/9IAABAAAVABUOFSAsFQIVEBUGFQYcAAAAKLUv/SAH' +
  'OQAAAgAAAAIAABUEFRAVIkwVAhUAEgAAKLUv/SAIQQAAAwAAAAAAAAAVABUSFSQsFQIVEBUGFQYcAAAAKLUv/SAJSQAA' +
  'AgAAAAIBAQIAFQQVEBUiTBUCFQASAAAotS/9IAhBAAAEAAAAiVBORxUAFRIVJCwVAhUQFQYVBhwAAAAotS/9IAlJAAAC' +
  'AAAAAgEBAgAVBBUUFSZMFQQVABIAACi1L/0gClEAAAEAAABiAQAAAGMVABUeFTAsFQQVEBUGFQYcAAAAKLUv/SAPeQAA' +
  'AgAAAAMCAgAAAAQDAQMCFQQVEBUiTBUCFQASAAAotS/9IAhBAACIjKl8mwEAABUAFRIVJCwVAhUQFQYVBhwAAAAotS/9' +
  'IAlJAAACAAAAAgEBAgAVBBmMNQAYBnNjaGVtYRUKABUMJQIYBXRpdGxlJQBMHAAAABUEJQIYAW4AFQwlAhgFaW1hZ2UA' +
  'NQIYBHRhZ3MVAhUGTDwAAAA1BBgEbGlzdBUCABUMJQIYB2VsZW1lbnQlAEwcAAAAFQQlAhgCYXQlEkyMERwcAAAAAAAW' +
  'BhksGVwmABwVDBk1AAYQGRgFdGl0bGUVDBYEFnQWmAEmViYIKSwVBBUAFQIAFQAVEBUCADwWEBkGGSYABAAAACYAHBUE' +
  'GTUABhAZGAFuFQwWBBZ0FooBJuABJqABKSwVBBUAFQIAFQAVEBUCADwpBhkmAAQAAAAmABwVDBk1AAYQGRgFaW1hZ2UV' +
  'DBYEFnYWmgEm+gImqgIpLBUEFQAVAgAVABUQFQIAPBYSGQYZJgAEAAAAJgAcFQwZNQAGEBk4BHRhZ3MEbGlzdAdlbGVt' +
  'ZW50FQwWBBZsFpABJvwDJsQDKSwVBBUAFQIAFQAVEBUCADwWAhkmBAAZRgACAAIAAAAmABwVBBk1AAYQGRgCYXQVDBYE' +
  'FmQWiAEmkgUm1AQpLBUEFQAVAgAVABUQFQIAPCkGGSYABAAAABauBBYEJggW1AUAGVwmABwVDBk1AAYQGRgFdGl0bGUV' +
  'DBYCFlAWdCaKBibcBSksFQQVABUCABUAFRAVAgA8FgAZBhkmAgAAAAAmABwVBBk1AAYQGRgBbhUMFgIWZBaIASaOBybQ' +
  'BiksFQQVABUCABUAFRAVAgA8KQYZJgACAAAAJgAcFQwZNQAGEBkYBWltYWdlFQwWAhZkFogBJpYIJtgHKSwVBBUAFQIA' +
  'FQAVEBUCADwWCBkGGSYAAgAAACYAHBUMGTUABhAZOAR0YWdzBGxpc3QHZWxlbWVudBUMFgQWdBaYASaiCSbgCCksFQQV' +
  'ABUCABUAFRAVAgA8FgQZJgICGUYAAAAEAAAAJgAcFQQZNQAGEBkYAmF0FQwWAhZkFogBJrYKJvgJKSwVBBUAFQIAFQAV' +
  'EBUCADwpBhkmAAIAAAAW8AMWAibcBRakBQAoIHBhcnF1ZXQtY3BwLWFycm93IHZlcnNpb24gMjYuMC4xGVwcAAAcAAAc' +
  'AAAcAAAcAAAANwMAAFBBUjE='
const file = new Blob([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))])

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

test('rows come group by group, bytes as bytes and integers exact', async () => {
  const batches = await all(readParquet(file))
  expect(batches.map(({ rows }) => rows.map(({ line }) => line))).toEqual([[1, 2], [3]])
  expect(batches[0]?.columns).toEqual(['title', 'n', 'image', 'tags', 'at'])
  expect(batches[0]?.rows[1]?.values).toEqual([
    'Mill',
    2n ** 60n,
    Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x78]),
    [],
    '2026-01-02T03:04:05Z',
  ])
  const few = await all(readParquet(file, 1))
  expect(few.map(({ rows }) => rows.length)).toEqual([1])
})

test('a description follows from all groups', async () => {
  const inference = new FieldInference()
  for await (const batch of readParquet(file)) inference.add(batch)
  expect((await inference.infer()).map(({ field, leftOut }) => field ?? leftOut)).toEqual([
    { name: 'title', type: 'string', length: 10, optional: true },
    { name: 'n', type: 'string', length: 50 },
    // Four bytes of the eight that a PNG begins with.
    { name: 'image', type: 'binary', mime: 'application/octet-stream' },
    'it has lists or objects, which no field takes',
    { name: 'at', type: 'string', length: 50 },
  ])
})

test('a column that no field takes leaves the others what they are', async () => {
  const folder = join(import.meta.dirname, '../../rows/test/files')
  const inference = new FieldInference()
  for await (const batch of readParquet(await openAsBlob(join(folder, 'duckdb.parquet')))) {
    inference.add(batch)
  }
  const found = (await inference.infer()).map(({ column, field, leftOut }) => [
    column,
    field ?? leftOut,
  ])
  const text = (name: string, length: number) => ({ name, type: 'string', length })
  expect(Object.fromEntries(found)).toEqual({
    int16: text('int16', 10),
    int32: text('int32', 10),
    int64: text('int64', 10),
    fixed: text('fixed', 50),
    micro: text('micro', 50),
    nano: text('nano', 50),
    milli: text('milli', 50),
    zoned: text('zoned', 50),
    day: text('day', 20),
    time: text('time', 20),
    json: text('json', 20),
    took: text('took', 10),
    uuid: text('uuid', 50),
    enum: text('enum', 10),
  })
})

test('a file that is cut off says so', async () => {
  await expect(all(readParquet(file.slice(0, 300)))).rejects.toThrow(
    'The file is no Parquet file, or is cut off',
  )
})
