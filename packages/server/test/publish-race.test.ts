// @module-tag whole
// @module-tag blobs

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openFileBlobs } from '../src/blobs/files/files.ts'

test(
  'bytes that collection takes while the same are published are published again',
  { tags: 'long' },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const blobs = await openFileBlobs(folder)
    const writing = new Set(['a', 'b', 'c'])
    const write = async (writer: string) => {
      for (let round = 0; round < 1000; round += 1) {
        const received = await blobs.receive(equal(), { maxBytes: 100 })
        await received.publish()
        await received.discard()
      }
      writing.delete(writer)
    }
    const collect = async () => {
      let collected = 0
      while (writing.size > 0) {
        for await (const blob of blobs.list()) {
          await blobs.trash.put(blob, '2026-11-22')
          collected += 1
        }
      }
      return collected
    }
    const [collected] = await Promise.all([collect(), ...[...writing].map(write)])
    expect(collected).toBeGreaterThan(0)
    // None was taken for a damaged one.
    expect(blobs.health.healed).toBe(0)
  },
)

async function* equal() {
  yield Buffer.from('equal')
}
