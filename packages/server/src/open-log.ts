import { pino, type Logger } from 'pino'

/** A write costs as much as half a small request, whatever is in it: a busy server writes lines together. */
const batch = { bytes: 4096, ms: 100 }

/** A log on standard output: lines of JSON, written at the latest some milliseconds after the fact. */
export function openLog(level: string): Logger {
  const output = { dest: 1, sync: false, minLength: batch.bytes, periodicFlush: batch.ms }
  return pino({ level, base: undefined }, pino.destination(output))
}
