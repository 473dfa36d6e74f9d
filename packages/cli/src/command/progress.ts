import { SingleBar } from 'cli-progress'
import type { Io } from './io.ts'

/** Shows how much of something has been moved. */
export type TransferProgress = {
  /** In bytes; without `total` the whole is unknown. */
  update: (done: number, total?: number) => void
  /** Says what is being done, beside the figures. */
  note: (text: string) => void
  stop: () => void
}

const barStyle = {
  barCompleteChar: '━',
  barIncompleteChar: '╌',
  barsize: 32,
  hideCursor: true,
}

/** Less than this is done before anybody reads of it, in bytes. */
const worthShowing = 4 * 1024 * 1024
/** Between two lines where there is no terminal, in milliseconds. */
const lineInterval = 10_000

/**
 * A bar on a terminal, elsewhere a line every ten seconds; on standard error, as the output may be what
 * is moved.
 */
export function showTransfer(io: Io, name: string): TransferProgress {
  return io.stderr.isTTY === true ? showBar(io, name) : showLines(io, name)
}

function showBar({ stderr }: Io, name: string): TransferProgress {
  let bar: SingleBar | undefined
  let began = 0
  let text = ''
  const open = () => {
    began = performance.now()
    bar = new SingleBar({
      stream: stderr,
      format: '{name} {bar} {done}  {rate}/s  {note}',
      ...barStyle,
      clearOnComplete: true,
    })
    bar.start(1, 0, { name, done: inBytes(0), rate: inBytes(0), note: text })
    return bar
  }
  return {
    update: (done, total) => {
      if (bar === undefined && (total ?? done) < worthShowing) return
      const shown = bar ?? open()
      const seconds = Math.max((performance.now() - began) / 1000, 0.1)
      shown.update(total === undefined ? 0 : Math.min(done / total, 1), {
        done: total === undefined ? inBytes(done) : `${inBytes(done)} of ${inBytes(total)}`,
        rate: inBytes(done / seconds),
        note: text,
      })
    },
    note: (next) => {
      text = next
      bar?.update({ note: next })
    },
    stop: () => bar?.stop(),
  }
}

function showLines({ console }: Io, name: string): TransferProgress {
  let last = performance.now()
  let text = ''
  return {
    update: (done, total) => {
      if (performance.now() - last < lineInterval) return
      last = performance.now()
      const of = total === undefined ? '' : ` of ${inBytes(total)}`
      console.error([`${name}: ${inBytes(done)}${of}`, text].filter(Boolean).join(', '))
    },
    note: (next) => {
      text = next
    },
    stop: () => {},
  }
}

/** Such as `12.3 MB`; the powers are of 1000, as disks and networks are sold. */
function inBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const value = bytes / 1000 ** power
  return `${power === 0 ? Math.round(value) : value.toFixed(1)} ${units[power]}`
}

/** Shows how far a load is. */
export type Progress = { step: (items: number) => void; stop: () => void }
export type ShowProgress = (name: string, from: { total: number; done: number }) => Progress

const nameWidth = 18

/** A bar on a terminal; elsewhere a line when a load begins and one when it ends. */
export const showProgress =
  (io: Io): ShowProgress =>
  (name, from) =>
    io.stdout.isTTY === true ? showStepBar(io, name, from) : showStepLines(io, name, from)

function showStepBar(
  { stdout }: Io,
  name: string,
  { total, done }: { total: number; done: number },
): Progress {
  const bar = new SingleBar({
    stream: stdout,
    format: '{name} {bar} {value} of {total}  {eta_formatted} left',
    ...barStyle,
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

function showStepLines(
  { console }: Io,
  name: string,
  from: { total: number; done: number },
): Progress {
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
    ...barStyle,
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
