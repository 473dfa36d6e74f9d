import { SingleBar } from 'cli-progress'
import type { Io } from '../io.ts'

/** Between two lines where there is no terminal, in milliseconds. */
const lineInterval = 10_000

/** Shows how many of something are done. */
export type CountProgress = {
  update: (done: number, total: number) => void
  /** Says what is done before there is anything to count. */
  note: (text: string) => void
  stop: () => void
}

/** A bar on a terminal, elsewhere a line every ten seconds, on standard error. */
export function showCount({ stderr, console }: Io, noun: string): CountProgress {
  if (stderr.isTTY !== true) {
    let last = performance.now()
    const show = (text: string) => {
      if (performance.now() - last < lineInterval) return
      last = performance.now()
      console.error(text)
    }
    const inWords = (count: number) => count.toLocaleString('en')
    return {
      update: (done, total) => show(`${noun}: ${inWords(done)} of ${inWords(total)}`),
      note: show,
      stop: () => {},
    }
  }
  const bar = new SingleBar({
    stream: stderr,
    format: '{note} {bar} {value} of {total}  {eta_formatted}',
    barCompleteChar: '━',
    barIncompleteChar: '╌',
    barsize: 32,
    hideCursor: true,
    clearOnComplete: true,
  })
  bar.start(1, 0, { note: noun })
  return {
    update: (done, total) => {
      bar.setTotal(total)
      bar.update(done, { note: noun })
    },
    note: (note) => bar.update({ note }),
    stop: () => bar.stop(),
  }
}
