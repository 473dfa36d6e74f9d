import { createHash } from 'node:crypto'
import * as z from 'zod/mini'
import { showTransfer } from '../command/progress.ts'
import { checkRow } from './check-row.ts'
import { rowsOf } from '@vitrine/client'
import type { Verified, VerifyOptions } from './verified.ts'
import type { ZipArchive } from './zip-archive.ts'

const rowsName = 'rows.ndjson'

const manifest = z.object({
  files: z.array(z.object({ path: z.string(), sha256: z.string(), size: z.number() })),
})

/**
 * Reads an export as a zip down to the last byte: every file that its manifest lists, and every value of
 * its rows that has a digest beside it.
 * @param verified counts what was looked at
 * @throws Error for what is no such export
 */
export async function verifyZip(
  path: string,
  { open }: ZipArchive,
  { verified, io, signal, onDamage }: VerifyOptions & { verified: Verified },
): Promise<void> {
  const progress = showTransfer(io, path)
  try {
    const { files } = await readManifest(open)
    const total = files.reduce((sum, { size }) => sum + size, 0)
    let done = 0
    const digests = new Map<string, string>()
    /** Reads one file and compares its digest with that of the manifest. */
    const check = async (
      { path: file, sha256 }: (typeof files)[number],
      read: (bytes: AsyncIterable<Uint8Array>) => Promise<void>,
    ) => {
      const hash = createHash('sha256')
      const bytes = async function* () {
        for await (const piece of await open(file)) {
          signal.throwIfAborted()
          hash.update(piece)
          done += piece.length
          progress.update(done, total)
          yield piece
        }
      }
      verified.files = (verified.files ?? 0) + 1
      try {
        await read(bytes())
      } catch (error) {
        if (signal.aborted) throw error
        return onDamage({ file, what: `cannot be read: ${(error as Error).message}` })
      }
      const digest = hash.digest('hex')
      digests.set(file, digest)
      if (digest !== sha256) onDamage({ file, what: `has the digest ${digest}, not ${sha256}` })
    }

    for (const file of files.filter(({ path: name }) => name !== rowsName)) {
      await check(file, async (bytes) => {
        for await (const { length } of bytes) verified.bytes += length
      })
    }
    const rows = files.find(({ path: name }) => name === rowsName)
    if (rows === undefined) throw new Error(`its manifest lists no ${rowsName}`)
    await check(rows, async (bytes) => {
      const digestOfBinary = (name: string) => digests.get(name)
      for await (const row of rowsOf(bytes)) {
        checkRow(row, verified, { onDamage, guarded: false, digestOfBinary })
      }
    })
  } finally {
    progress.stop()
  }
}

async function readManifest(open: ZipArchive['open']): Promise<z.infer<typeof manifest>> {
  const pieces = await Array.fromAsync((await open('manifest.json')) as AsyncIterable<Buffer>)
  return manifest.parse(JSON.parse(Buffer.concat(pieces).toString()))
}
