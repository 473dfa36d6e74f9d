import { SingleBar } from 'cli-progress'
import type { Io } from '../io.ts'

/** Shows how far a load is. */
export type Progress = { step: (items: number) => void; stop: () => void }
export type ShowProgress = (name: string, from: { total: number; done: number }) => Progress

const nameWidth = 18

/** A bar on a terminal; elsewhere a line when a load begins and one when it ends. */
export const showProgress =
  (io: Io): ShowProgress =>
  (name, from) =>
    io.stdout.isTTY === true ? showBar(io, name, from) : showLines(io, name, from)

function showBar(
  { stdout }: Io,
  name: string,
  { total, done }: { total: number; done: number },
): Progress {
  const bar = new SingleBar({
    stream: stdout,
    format: '{name} {bar} {value} of {total}  {eta_formatted} left',
    barCompleteChar: '━',
    barIncompleteChar: '╌',
    barsize: 32,
    hideCursor: true,
    etaBuffer: 200,
  })
  bar.start(total, done, { name: name.padEnd(nameWidth) })
  return {
    step: (items) => {
      // Nothing at all would make the time that is left infinite.
      if (items > 0) bar.increment(items)
    },
    stop: () => bar.stop(),
  }
}

function showLines({ console }: Io, name: string, from: { total: number; done: number }): Progress {
  let { done } = from
  const total = from.total.toLocaleString('en')
  const show = () =>
    console.log(`${name.padEnd(nameWidth)} ${done.toLocaleString('en')} of ${total}`)
  show()
  return {
    step: (items) => {
      done += items
    },
    stop: () => {
      if (done > from.done) show()
    },
  }
}
