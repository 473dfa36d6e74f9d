// @module-tag engines

import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { sharedStore } from './shared-store.ts'

const store = sharedStore()

test('a batch returns rows in its own order, up to a limit', async () => {
  const read = store().prepareBatchInWorker<{ number: number }, [number]>(
    (slot) => sql`select cast(${slot('number')} as integer)`,
  )
  const batch = [5, 3, 4, 1, 2].map((number) => ({ number }))
  expect(await read(batch, Infinity)).toEqual([[5], [3], [4], [1], [2]])
  expect(await read(batch, 4)).toEqual([[5], [3], [4], [1]])
  expect(await read(batch.slice(0, 1), 4)).toEqual([[5]])
  expect(await read([], 4)).toEqual([])
})
