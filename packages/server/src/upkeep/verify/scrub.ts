import { setTimeout as sleep } from 'node:timers/promises'
import type { BaseLogger } from 'pino'
import type { DamageReport } from '../../blobs/read-blob.ts'
import type { Lease } from '../../store/leases.ts'
import { countDamage } from '../../store/damage.ts'
import {
  type ScrubRound,
  beginRound,
  openScrubRound,
  saveScrubRound,
} from '../../store/scrub-round.ts'
import type { DatasetReader } from '../../reading/dataset-reader.ts'
import { recheckBlobs, scrubBlobs } from './scrub-blobs.ts'
import { scrubDerived } from './scrub-derived.ts'
import { recheckRows, scrubRows } from './scrub-rows.ts'

const day = 24 * 60 * 60_000

/** Within how long everything is read again. */
const usualRoundMs = 30 * day
/** Between two steps. */
const pauseMs = 15 * 60_000
/** A step rests so many times as long as it read, and so takes a fifth of one lane at most. */
const usualRestShare = 4

export type Scrub = {
  /** Reads what is due by now, after the step that may be under way. */
  run: (roundMs?: number) => Promise<Scrubbed>
  stop: () => Promise<void>
}

/** How much was read, and of how many datasets what is derived was compared. */
export type Scrubbed = { blobs: number; rows: number; datasets: number }

export type ScrubContext = DamageReport & {
  datasets: DatasetReader
  logger: Pick<BaseLogger, 'error'>
  /** How many times as long as it reads it rests; four times unless said otherwise. */
  restShare?: number | undefined
}

/** A step of a round: it reads on until a share of everything has been read. */
export type ScrubStep = {
  round: Readonly<ScrubRound>
  /** From 0 to 1. */
  share: number
  signal: AbortSignal
  /** Does some work, then rests; throws once the server stops. */
  work: <T>(work: () => Promise<T>) => Promise<T>
  /** Notes how far the round is. */
  save: (reached: Partial<ScrubRound>) => Promise<void>
}

/**
 * Reads all blobs and all items' rows again and again, slowly, and compares them with their digests, and what is
 * derived of items with them.
 */
export function startScrub(context: ScrubContext): Scrub {
  const stopping = new AbortController()
  const { signal } = stopping
  let last: Promise<unknown> = Promise.resolve()
  const run = (roundMs = usualRoundMs): Promise<Scrubbed> => {
    const mine = last.then(async () => {
      const { store } = context
      try {
        const read = await store.exclusively('scrub', (lease) =>
          scrubOn(context, { roundMs, signal, lease }),
        )
        return read ?? { blobs: 0, rows: 0, datasets: 0 }
      } finally {
        if (!signal.aborted) context.blobs.health.damaged = await countDamage(store.reads)
      }
    })
    last = mine.catch(() => {})
    return mine
  }
  const runInBackground = async () => {
    while (!signal.aborted) {
      try {
        await run()
      } catch (error) {
        if (!signal.aborted) context.logger.error({ err: error }, 'reading everything again failed')
      }
      await pause(pauseMs, signal)
    }
  }
  const running = runInBackground()
  return {
    run,
    stop: async () => {
      stopping.abort()
      await running
      await last
    },
  }
}

/** Reads what is noted as damaged, and then on to as far as the time is in the round. */
async function scrubOn(
  context: ScrubContext,
  { roundMs, signal, lease }: { roundMs: number; signal: AbortSignal; lease: Lease },
): Promise<Scrubbed> {
  const { clock, ...opened } = await openScrubRound(context.store)
  const share = clock - opened.beganAt >= roundMs ? 1 : (clock - opened.beganAt) / roundMs
  const step = {
    round: opened,
    share,
    signal,
    work: async <T>(work: () => Promise<T>): Promise<T> => {
      signal.throwIfAborted()
      lease.check()
      const began = performance.now()
      const result = await work()
      const { restShare = usualRestShare } = context
      await pause((performance.now() - began) * restShare, signal)
      return result
    },
    save: async (reached: Partial<ScrubRound>) => {
      step.round = { ...step.round, ...reached }
      await saveScrubRound(context.store, step.round)
    },
  }
  const rows = (await recheckRows(context, step)) + (await scrubRows(context, step))
  const blobs = (await recheckBlobs(context, step)) + (await scrubBlobs(context, step))
  const datasets = await scrubDerived(context, step)
  if (share === 1) await step.save(beginRound(clock))
  return { blobs, rows, datasets }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}
