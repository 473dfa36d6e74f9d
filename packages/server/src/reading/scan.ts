import { type Span, candidateSpans } from '../search-index/candidate-spans.ts'
import type { NeededGrams } from '../search-index/needed-grams.ts'
import { AdaptiveWindow } from '../store/adaptive-window.ts'
import type { Store } from '../store/store.ts'

/**
 * Items that are scanned together at first, fewer where their texts may be more bytes than this, and milliseconds that
 * others may have to wait for the reading thread.
 */
const first = { size: 32_768, min: 16, bytes: 16 * 1024 ** 2, targetMs: 20 }

type ScanOptions = {
  repoId: number
  /** Grams that an item must have, by which the search index excludes blocks of items. */
  needed: NeededGrams | undefined
  /** Bytes of the texts of an item at most. */
  bytesMax: number
}

/** Scans a repository window by window in the reading thread, without the blocks that its search index excludes. */
export class Scan {
  readonly #store: Pick<Store, 'reads'>
  readonly #options: ScanOptions
  readonly #window: AdaptiveWindow

  constructor(store: Pick<Store, 'reads'>, options: ScanOptions) {
    this.#store = store
    this.#options = options
    const fitting = Math.max(first.min, Math.floor(first.bytes / Math.max(1, options.bytesMax)))
    this.#window = new AdaptiveWindow({ ...first, size: Math.min(first.size, fitting) })
  }

  /** Reads the rows of the next window of positions by `read`, span by span; it ends before position `to`. */
  async next<Row>(
    { from, upTo }: { from: number; upTo: number },
    read: (spans: Span[]) => Promise<Row[]>,
  ): Promise<{ rows: Row[]; to: number }> {
    const began = performance.now()
    const within = { from, upTo, max: this.#window.size }
    const { spans, to } = await candidateSpans(this.#store.reads, this.#options, within)
    const rows = spans.length === 0 ? [] : await read(spans)
    this.#window.took(performance.now() - began)
    return { rows, to }
  }
}
