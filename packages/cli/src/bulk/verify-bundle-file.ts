import { createHash, hash } from 'node:crypto'
import { verifyBundle, UnreadableBundle } from '@vitrine/client'
import { CommandError } from '../command/command.ts'
import { showTransfer } from '../command/progress.ts'
import type { Verified } from './verified.ts'
import type { VerifyFileOptions } from './verify-file.ts'
import type { ZipArchive } from './zip-archive.ts'

/**
 * Verifies a bundle as `@vitrine/client` does, without a server.
 * @throws CommandError where it is none that can be read
 */
export async function verifyBundleFile(
  file: string,
  archive: ZipArchive,
  { io, signal, key, onDamage }: VerifyFileOptions,
): Promise<Verified> {
  const progress = showTransfer(io, file)
  try {
    const {
      dataset,
      at,
      key: signedBy,
      ...done
    } = await verifyBundle(archive, {
      hash: (bytes) => new Uint8Array(hash('sha256', bytes, 'buffer')),
      hashFile: async (bytes) => {
        const digest = createHash('sha256')
        let size = 0
        for await (const piece of bytes) {
          signal.throwIfAborted()
          digest.update(piece)
          size += piece.length
        }
        return { sha256: digest.digest('hex'), size }
      },
      key,
      onDamage,
      onProgress: ({ items, bytes }) => {
        progress.update(bytes)
        progress.note(`${items.toLocaleString('en')} items`)
      },
      signal,
    })
    return { ...done, bundle: { dataset, at, key: signedBy } }
  } catch (cause) {
    if (!(cause instanceof UnreadableBundle)) throw cause
    const what = `${file} cannot be read as a bundle: ${cause.message}.`
    throw new CommandError(what, { cause, exitCode: 6 })
  } finally {
    progress.stop()
  }
}
