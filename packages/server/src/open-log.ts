import { pino, type DestinationStream, type Logger } from 'pino'

/** A write costs as much as half a small request, whatever is in it: a busy server writes lines together. */
const batch = { bytes: 4096, ms: 100 }

export type Log = {
  logger: Logger
  /**
   * Tells something to the person who started the server, whatever the log's level: as a sentence on a
   * terminal, and as a line of the log elsewhere, so that every line there is JSON.
   */
  say: (sentence: string) => void
}

/** A log of JSON lines on standard output, each written some milliseconds after the fact at the latest. */
export function openLog(level: string, output: DestinationStream = standardOutput()): Log {
  const logger = pino({ level, base: undefined }, output)
  const always = logger.child({}, { level: 'info' })
  return {
    logger,
    say: (sentence) => {
      if (process.stdout.isTTY) output.write(`${sentence}\n`)
      else always.info(sentence)
    },
  }
}

let opened: DestinationStream | undefined

/** Opens standard output once for a process, however many servers it starts: it flushes by a timer that has no end. */
function standardOutput(): DestinationStream {
  opened ??= pino.destination({
    dest: 1,
    sync: false,
    minLength: batch.bytes,
    periodicFlush: batch.ms,
  })
  return opened
}
