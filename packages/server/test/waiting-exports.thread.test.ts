// @module-tag whole

import { expect, test } from 'vitest'
import type { RowFormat } from '../src/exports/row-writer.ts'
import { writeRows } from '../src/exports/write-rows.ts'
import type { SnapshotRows } from '../src/reading/snapshot.ts'

const rowsEach = 1000
const columns: RowFormat['columns'] = [
  { name: 'id', kind: 'integer', isRequired: true },
  { name: 'text', kind: 'text' },
]

function window(text: string): SnapshotRows {
  const row = JSON.stringify([1, text])
  return {
    layout: 'rows',
    count: rowsEach,
    bytes: Buffer.from(Array(rowsEach).fill(row).join(',')),
  }
}

/** Opens exports of windows without an end, and reads of each as far as its first bytes. */
async function openUnread(kind: 'ndjson' | 'parquet', exportsOpen: number, text = 'some text') {
  const format: RowFormat = { kind, columns }
  let read = 0
  const unfinished = new Set<number>()
  let unfinishedMax = 0
  const windows = async function* (number: number) {
    for (let own = 1; ; own += 1) {
      read += 1
      // The first one is read with what the file begins with.
      if (own > 1) unfinished.add(number)
      unfinishedMax = Math.max(unfinishedMax, unfinished.size)
      yield window(text)
    }
  }
  const opened = Array.from({ length: exportsOpen }, (_, number) =>
    writeRows(format, { windows: windows(number), count: 1e9 }),
  )
  await Promise.all(
    opened.map(async (bytes, number) => {
      // Those of the file's beginning, and of its first rows.
      if (kind === 'parquet') await bytes.next()
      await bytes.next()
      unfinished.delete(number)
    }),
  )
  const closeAll = () => Promise.all(opened.map((bytes) => bytes.return(undefined)))
  return { opened, closeAll, read: () => read, unfinishedMax }
}

test('exports that nobody reads on have hardly more read than what was asked for', async () => {
  const { opened, closeAll, read } = await openUnread('ndjson', 40)
  // One window each, and some ahead of it of the first eight.
  expect(read()).toBeLessThanOrEqual(40 + 8 * 2)
  // Whoever reads on gets what comes next.
  const { value } = await opened.at(-1)!.next()
  expect(Buffer.from(value).toString().split('\n')).toHaveLength(rowsEach + 1)
  await closeAll()
})

test('four exports at most have a group of Parquet half made', async () => {
  const { closeAll, unfinishedMax } = await openUnread('parquet', 20)
  expect(unfinishedMax).toBeLessThanOrEqual(4)
  await closeAll()
})

test('a group of Parquet ends at some bytes as well as at some rows', async () => {
  const { closeAll, read } = await openUnread('parquet', 4, 'x'.repeat(2500))
  // Two windows of 2.5 MB make a group of more than 4 MiB; of rows it would take nine.
  expect(read()).toBeLessThanOrEqual(4 * (2 + 2))
  await closeAll()
})
