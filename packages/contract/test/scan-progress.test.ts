import { expect, test } from 'vitest'
import { readProgress } from '../src/api/scan-progress.ts'

test('the progress of a view is read, and nothing is made of anything else', () => {
  expect(readProgress('120000/3000000')).toEqual({ scanned: 120_000, total: 3_000_000 })
  for (const other of [null, '', '5', '1/2/3', '-1/2', '1.5/2', ' 1/2', '1/99999999999999999']) {
    expect(readProgress(other)).toBeUndefined()
  }
})
