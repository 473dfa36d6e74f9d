import { setTimeout as sleep } from 'node:timers/promises'
import type { BaseLogger } from 'pino'
import { clearDamage, countDamage, listDamage } from '../store/blob-damage.ts'
import { isLiveBlob, listLiveBlobs } from '../store/blobs.ts'
import type { Lease } from '../store/lease.ts'
import { openScrubRound, saveScrubRound } from '../store/scrub-round.ts'
import type { Bytes } from './blobs.ts'
import { checkBytes } from './check-blobs.ts'
import { DamagedBlob } from './damaged-blob.ts'
import { reportDamage, type DamageReport } from './report-damage.ts'

const day = 24 * 60 * 60_000

/** Within how long every blob is read again. */
const usualRoundMs = 30 * day
/** Between two steps. */
const pauseMs = 15 * 60_000
/** A step rests so many times as long as it read, and so takes a fifth of one lane at most. */
const restShare = 4
/** Blobs read before it is noted how far the round is. */
const windowRows = 20

export type Scrub = {
  /** Reads what is due by now, after the step that may be under way; returns how many blobs were read. */
  run: (roundMs?: number) => Promise<number>
  stop: () => Promise<void>
}

/** Reads all blobs again and again, slowly, and compares them with their digests. */
export function startScrub(report: DamageReport & { logger: Pick<BaseLogger, 'error'> }): Scrub {
  const stopping = new AbortController()
  let last: Promise<unknown> = Promise.resolve()
  const run = (roundMs = usualRoundMs): Promise<number> => {
    const mine = last.then(async () => {
      const { store } = report
      const step = { roundMs, signal: stopping.signal }
      const read = await store.exclusively('scrub', (lease) => scrubOn(report, { ...step, lease }))
      report.blobs.health.damaged = await countDamage(store.reads)
      return read ?? 0
    })
    last = mine.catch(() => {})
    return mine
  }
  const runInBackground = async () => {
    while (!stopping.signal.aborted) {
      try {
        await run()
      } catch (error) {
        if (!stopping.signal.aborted) report.logger.error({ err: error }, 'reading blobs failed')
      }
      await pause(pauseMs, stopping.signal)
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

type Step = { roundMs: number; signal: AbortSignal; lease: Lease }

/**
 * Reads what is noted as damaged, and then on to the digest that is as far among all digests as the time
 * is in the round: digests are spread evenly, so nothing has to be counted.
 */
async function scrubOn(report: DamageReport, { roundMs, signal, lease }: Step): Promise<number> {
  const { store } = report
  let read = 0
  const check = async (blob: Bytes): Promise<boolean> => {
    lease.check()
    const began = performance.now()
    const isWhole = await checkBlob(report, blob, signal)
    read += 1
    await pause((performance.now() - began) * restShare, signal)
    return isWhole
  }
  for (const blob of await listDamage(store.reads, { after: '', limit: windowRows })) {
    if (signal.aborted) return read
    if (await check(blob)) {
      await store.write((transaction) => clearDamage(transaction, [blob.sha256]))
    }
  }
  while (!signal.aborted) {
    const { beganAt, readTo, clock } = await openScrubRound(store)
    const share = clock - beganAt >= roundMs ? 1 : (clock - beganAt) / roundMs
    const due = digestAt(share)
    const listed = await listLiveBlobs(store.reads, readTo, windowRows)
    const blobs = listed.filter(({ sha256 }) => sha256 <= due)
    for (const blob of blobs) {
      if (signal.aborted) return read
      await check(blob)
    }
    const isOver = blobs.length === 0 && share === 1
    if (isOver) await saveScrubRound(store, { beganAt: clock, readTo: '' })
    if (blobs.length === 0) return read
    await saveScrubRound(store, { beganAt, readTo: blobs.at(-1)!.sha256 })
  }
  return read
}

/** Returns whether a blob is whole. */
async function checkBlob(report: DamageReport, blob: Bytes, signal: AbortSignal): Promise<boolean> {
  const { store, blobs } = report
  const what = await checkBytes(blobs, blob, signal)
  if (what === undefined) return true
  // It may have been collected meanwhile.
  if (await isLiveBlob(store.reads, blob.sha256)) {
    await reportDamage(report, new DamagedBlob(blob.sha256, what))
  }
  return false
}

/** Returns the digest below which a share of all digests is. */
function digestAt(share: number): string {
  if (share >= 1) return 'g'
  const digits = 12
  return Math.max(0, Math.floor(share * 16 ** digits))
    .toString(16)
    .padStart(digits, '0')
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}
