import { createHash } from 'node:crypto'
import { limits, picturedTypes, type PictureWidth } from '@vitrine/contract'
import type { Blobs, Bytes } from '../blobs/blobs.ts'
import { DamagedBlob } from '../blobs/read-blob.ts'
import { fail } from '../failure.ts'
import { ByteBudget } from '../runtime/byte-budget.ts'
import { FairQueue } from '../runtime/fair-queue.ts'
import type { Decoder } from './decoder.ts'
import { pictureMemory } from './decoder-protocol.ts'
import { KeptPictures } from './kept-pictures.ts'

/** Half of the threads that Node has for files as well. */
const usualAtOnce = 2

const keptBytes = 32 * 1024 ** 2

/** A value that a small picture is asked of. */
export type Pictured = Bytes & { mime: string }

type PictureOptions = {
  width: PictureWidth
  /** Whose turn it is; people take turns. */
  owner: string
  /** Aborted when nobody waits for it any more. */
  signal: AbortSignal
}

/** Small pictures of values, made a few at a time and kept for a while. */
export class SmallPictures {
  readonly #blobs: Blobs
  readonly #decoder: Decoder
  readonly #queue: FairQueue
  /** One of the largest at a time, or several of a camera. */
  readonly #memory = new ByteBudget(pictureMemory)
  readonly #kept = new KeptPictures(keptBytes)
  #isEnded = false

  constructor(blobs: Blobs, decoder: Decoder, concurrency = usualAtOnce) {
    this.#blobs = blobs
    this.#decoder = decoder
    this.#queue = new FairQueue(concurrency)
  }

  /**
   * The picture of a value.
   * @throws DamagedBlob, Failure PICTURE_UNSUPPORTED, PICTURE_TOO_LARGE, PICTURE_UNREADABLE, and OVERLOADED at a
   *   stop, or where nobody waits any more
   */
  async find(value: Pictured, { width, owner, signal }: PictureOptions): Promise<Buffer> {
    if (!picturedTypes.includes(value.mime.toLowerCase())) throw fail('PICTURE_UNSUPPORTED')
    if (value.size > limits.picturedBytes) throw fail('PICTURE_TOO_LARGE')
    const key = `${value.sha256} ${width}`
    const cached = this.#kept.find(key)
    if (cached !== undefined) return cached
    return this.#queue.run(owner, async () => {
      if (this.#isEnded || signal.aborted) throw fail('OVERLOADED')
      // Others may have waited for the same one.
      return this.#kept.find(key) ?? this.#make(key, value, width)
    })
  }

  /** Ends all waits at a stop; what is being made is finished. */
  endWaits(): void {
    this.#isEnded = true
    this.#queue.releaseAll()
  }

  async #make(key: string, value: Pictured, width: PictureWidth): Promise<Buffer> {
    using opened = await this.#decoder.open(await readWhole(this.#blobs, value))
    using _taken = await this.#memory.take(opened.memory)
    const picture = await opened.shrink(width)
    this.#kept.keep(key, picture)
    return picture
  }
}

/**
 * Reads the bytes of a value and holds them to its seal: one does not see of a picture that it is another.
 * @throws DamagedBlob
 */
async function readWhole(blobs: Blobs, { sha256, size }: Bytes): Promise<Uint8Array> {
  const bytes = new Uint8Array(size)
  const hash = createHash('sha256')
  let at = 0
  for await (const chunk of (await blobs.open({ sha256, size })) as AsyncIterable<Buffer>) {
    bytes.set(chunk, at)
    hash.update(chunk)
    at += chunk.length
  }
  if (hash.digest('hex') === sha256) return bytes
  throw new DamagedBlob(sha256, 'its bytes are not those of its digest')
}
