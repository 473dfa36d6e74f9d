type Sample = { at: number; bytes: number }

/** How far back the rate looks: long enough to be calm, short enough to follow the network. */
const windowMs = 5000
/** Before this much was observed, a rate would be a guess. */
const settledMs = 500

/** Recent samples of the bytes sent, in order of time. */
export type TransferRate = readonly Sample[]

/** Takes note that `bytes` have been sent in all at time `at` (milliseconds). */
export function observe(rate: TransferRate, at: number, bytes: number): TransferRate {
  const inWindow = rate.findIndex((sample) => sample.at >= at - windowMs)
  // One sample older than the window stays, so that a stalled transfer shows as slow, not unknown.
  const recent = inWindow < 0 ? rate.slice(-1) : rate.slice(Math.max(0, inWindow - 1))
  return [...recent, { at, bytes }]
}

/** Bytes per second over the last seconds, or undefined while too little is known. */
export function bytesPerSecond(rate: TransferRate): number | undefined {
  const first = rate[0]
  const last = rate.at(-1)
  if (first === undefined || last === undefined || last.at - first.at < settledMs) return undefined
  return ((last.bytes - first.bytes) / (last.at - first.at)) * 1000
}

/** Seconds until `totalBytes` are sent at the present rate; undefined while that is not known. */
export function secondsLeft(rate: TransferRate, totalBytes: number): number | undefined {
  const speed = bytesPerSecond(rate)
  const last = rate.at(-1)
  if (speed === undefined || speed <= 0 || last === undefined) return undefined
  return Math.max(0, (totalBytes - last.bytes) / speed)
}
