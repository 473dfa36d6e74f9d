import { type Diagnosis, ok, wrong } from './diagnosis.ts'

/** A clock, as a `Date` header said it, and when that came by ours, in ms since 1970. */
export type OtherClock = { whose: string; date: string; at: number }

/** Tokens serve for 5 s after their end, and a Date is cut to seconds. */
const toleranceMs = 5000

/** Compares the clocks of others with that of this machine. */
export function diagnoseClock({ whose, date, at }: OtherClock): Diagnosis[] {
  const theirs = Date.parse(date)
  if (Number.isNaN(theirs)) return []
  const aheadMs = at - theirs - 500
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  if (Math.abs(aheadMs) <= toleranceMs) {
    return [ok('clock', `as ${whose} has it, to ${seconds} s`)]
  }
  const finding = `this machine is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} ${whose}`
  const change = 'set the clocks of both by NTP: tokens and requests to S3 are judged by them'
  return [wrong('clock', finding, change)]
}
