import { CommandError } from './command.ts'
import type { Io } from './io.ts'

/**
 * Does work that Ctrl-C, or a signal to end, aborts.
 * @param outcome what is the case when it was interrupted, as a sentence
 * @throws CommandError when it was
 */
export async function untilInterrupted<T>(
  { signals }: Io,
  outcome: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort()
  signals.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    return await work(interrupted.signal)
  } catch (cause) {
    if (!interrupted.signal.aborted) throw cause
    throw new CommandError(`Interrupted. ${outcome}`, { cause, exitCode: 130 })
  } finally {
    signals.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}
