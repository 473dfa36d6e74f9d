import type { AddItemProgress } from '@vitrine/client'
import { describe, expect, test } from 'vitest'
import { advance, atStart, insertSteps, stepState } from '../src/pages/AddItem/insert-progress.ts'
import {
  bytesPerSecond,
  observe,
  secondsLeft,
  type TransferRate,
} from '../src/data/transfer-rate.ts'
import { showBytes, showSeconds } from '../src/ui/show-amounts.ts'

const uploading = (sentBytes: number, hashedBytes = 0): AddItemProgress => ({
  step: 'upload',
  sentBytes,
  hashedBytes,
  totalBytes: 1000,
})

function statesDuringUpload(failed: boolean) {
  return insertSteps.map((step) => stepState(step, { current: 'upload', failed }))
}

describe('the rate of a transfer', () => {
  const steady = [0, 1000, 2000, 3000].reduce<TransferRate>(
    (rate, at) => observe(rate, at, at * 2),
    [],
  )

  test('is unknown until enough time has passed', () => {
    expect(bytesPerSecond([])).toBeUndefined()
    expect(bytesPerSecond(observe(observe([], 0, 0), 100, 50))).toBeUndefined()
  })

  test('is in bytes per second, and gives the seconds left', () => {
    expect(bytesPerSecond(steady)).toBe(2000)
    expect(secondsLeft(steady, 10_000)).toBe(2)
    expect(secondsLeft(steady, 1)).toBe(0)
  })

  test('follows the last seconds, not the whole transfer', () => {
    let rate: TransferRate = []
    for (let at = 0; at <= 60_000; at += 1000) rate = observe(rate, at, Math.min(at, 30_000))
    expect(bytesPerSecond(rate)).toBe(0)
    expect(secondsLeft(rate, 100_000)).toBeUndefined()
    expect(rate.length).toBeLessThan(10)
  })

  test('a transfer that stalled and goes on shows as slow, not as unknown', () => {
    expect(bytesPerSecond(observe(steady, 60_000, 6600))).toBeCloseTo(600 / 57)
  })
})

describe('progress', () => {
  test('goes through the steps and counts what was sent and hashed', () => {
    const events: AddItemProgress[] = [
      { step: 'initialize' },
      uploading(0),
      uploading(400, 100),
      uploading(1000, 1000),
      { step: 'commit', id: 1, integrity: {} },
    ]
    let progress = atStart
    const seen = events.map((event, second) => {
      progress = advance(progress, event, second * 1000)
      return progress
    })
    expect(seen.map(({ step }) => step)).toEqual([
      'initialize',
      'upload',
      'upload',
      'upload',
      'commit',
    ])
    expect(seen[2]).toMatchObject({ sentBytes: 400, hashedBytes: 100, totalBytes: 1000 })
    expect(bytesPerSecond(seen[3]!.rate)).toBe(500)
    expect(seen[4]).toMatchObject({ sentBytes: 1000, totalBytes: 1000 })
  })

  test('hashing alone says nothing about the rate', () => {
    const begun = advance(atStart, uploading(0), 0)
    const hashed = advance(begun, uploading(0, 500), 1000)
    expect(hashed.rate).toBe(begun.rate)
  })

  test('each step is done, at work, failed or to come', () => {
    expect(statesDuringUpload(false)).toEqual(['done', 'running', 'waiting'])
    expect(statesDuringUpload(true)).toEqual(['done', 'failed', 'waiting'])
  })
})

test('amounts are shown in units that fit', () => {
  expect([0, 1, 999, 1000, 99_949, 99_950, 999_500, 314_572_800, 2e12].map(showBytes)).toEqual([
    '0 bytes',
    '1 byte',
    '999 bytes',
    '1.0 kB',
    '99.9 kB',
    '100 kB',
    '1.0 MB',
    '315 MB',
    '2.0 TB',
  ])
  expect([0, 0.2, 59, 60, 3599, 3600, 7500].map(showSeconds)).toEqual([
    '0 s',
    '1 s',
    '59 s',
    '1 min 0 s',
    '59 min 59 s',
    '1 h 0 min',
    '2 h 5 min',
  ])
})
