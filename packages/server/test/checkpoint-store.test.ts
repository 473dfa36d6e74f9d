// @module-tag engines

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CheckpointStore, CheckpointState } from '../src/blobs/blobs.ts'
import { createTestBlobs, ignoresConditions } from './test-blobs.ts'

const log = '0123456789'
const state = (size: number, digit = 'a'): CheckpointState => ({ size, root: digit.repeat(64) })

let folder: string
/** Two processes. */
let one: CheckpointStore
let other: CheckpointStore

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  const blobs = createTestBlobs(folder)
  one = (await blobs.open()).checkpoints
  other = (await blobs.open()).checkpoints
})

afterEach(() => rmSync(folder, { recursive: true }))

test('states of logs are kept from the moment when there is a place for them', async () => {
  expect(await one.isThere()).toBe(false)
  expect(await one.find(log)).toBeUndefined()
  await one.create()
  await other.create()
  expect(await other.isThere()).toBe(true)
  expect(await one.replace(log, undefined, state(0))).toBe(true)
  const first = await other.find(log)
  expect(first).toMatchObject(state(0))
  expect(await other.replace(log, first, state(300, 'b'))).toBe(true)
  expect(await one.find(log)).toMatchObject(state(300, 'b'))
  expect(await one.find('9876543210')).toBeUndefined()
})

test.skipIf(ignoresConditions)(
  'of two processes that know the same state one replaces it',
  async () => {
    await one.create()
    for (let round = 0; round < 20; round += 1) {
      const before = await one.find(log)
      const replaced = await Promise.all([
        one.replace(log, before, state(round, 'a')),
        other.replace(log, before, state(round, 'b')),
      ])
      expect(replaced.toSorted()).toEqual([false, true])
      expect(await one.find(log)).toMatchObject(state(round, replaced[0] ? 'a' : 'b'))
      expect(await one.replace(log, before, state(round + 1))).toBe(false)
    }
  },
)
