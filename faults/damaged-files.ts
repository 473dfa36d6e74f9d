import {
  appendFileSync,
  closeSync,
  openSync,
  readSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { addItem, type Client } from '@vitrine/client'
import { sha256 } from '../packages/server/test/photos.ts'
import { openInstallation } from './installation.ts'
import { things } from './ledger.ts'
import type { Scenario } from './scenario.ts'
import { prepare } from './workload.ts'

const files = 30
/** A read that neither ends nor fails for so long says nothing of the damage. */
const replyMs = 10_000

/** Truncates, extends and flips files under a running server; every one must be told, and heal. */
export const damagedFiles: Scenario = {
  name: 'damaged-files',
  lacks: () =>
    process.env['VITRINE_TEST_BLOB_URL'] === undefined ? undefined : 'the blobs are not files',
  open: async (opened) => {
    const installation = await openInstallation(opened)
    await installation.start()
    const client = installation.client(0)
    await prepare(client)
    let round = 0
    return async () => {
      round += 1
      const contents = Array.from(
        { length: files },
        (_, index) => `round ${round}, file ${index}, ${'x'.repeat(index * 997)}`,
      )
      const ids: number[] = []
      for (const content of contents) ids.push(await addThing(client, content))
      const paths = contents.map((content) => pathOf(installation.dataDir, sha256(content)))
      paths.forEach((path, index) => damage[index % damage.length]!(path))

      let served = 0
      for (const [index, itemId] of ids.entries()) {
        const signal = AbortSignal.timeout(replyMs)
        const bytes = await client
          .datasetFieldGet({ datasetId: things, itemId, fieldName: 'file' }, { signal })
          .then((blob) => blob.text())
          .catch(() => (signal.aborted ? '' : undefined))
        // A flipped bit keeps the size: a check of digests tells it, a read alone does not.
        if (bytes !== undefined && bytes.length !== contents[index]!.length) served += 1
      }
      const found = await installation.check()
      const told = new Set(found.filter(({ kind }) => kind === 'damage').map(({ where }) => where))
      const silent = contents.filter((content) => !told.has(sha256(content))).length
      for (const content of contents) await addThing(client, content)
      const left = (await installation.check()).filter(({ kind }) => kind === 'damage')
      return {
        'damaged on purpose': files,
        'damaged in silence': silent + served,
        healed: files - left.length,
        // What the right bytes did not heal.
        damaged: left.length,
      }
    }
  },
}

function addThing(client: Client, content: string): Promise<number> {
  const file = new Blob([content], { type: 'text/plain' })
  return addItem(client, things, { title: 'a file', file })
}

function pathOf(dataDir: string, digest: string): string {
  return join(dataDir, 'blobs', digest.slice(0, 2), digest.slice(2))
}

const damage: ((path: string) => void)[] = [
  (path) => truncateSync(path, Math.floor(statSync(path).size / 2)),
  (path) => appendFileSync(path, 'more'),
  flipOneBit,
]

function flipOneBit(path: string): void {
  const file = openSync(path, 'r+')
  const byte = Buffer.alloc(1)
  readSync(file, byte, 0, 1, 3)
  byte[0] = byte[0]! ^ 1
  writeSync(file, byte, 0, 1, 3)
  closeSync(file)
}
