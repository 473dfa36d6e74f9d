import { requestAborted } from '@vitrine/client'
import type { Inferred } from '@vitrine/rows/describe/describe-rows'
import type { ReadOptions } from '@vitrine/rows/reading'
import type { CorrectOptions } from '@vitrine/rows/text/correct-rows'
import type { RowCorrections, RowsMessage, RowsOptions, RowsTask } from './rows-worker.ts'
import type { Sample } from './sample.ts'

type Options = {
  signal: AbortSignal
  onProgress?: (progress: { rows: number; bytes: number }) => void
}

/**
 * The first rows of a file; no more of it is read than they need.
 * @throws Error saying what is wrong with the file
 */
export async function sampleRows(file: Blob, how: ReadOptions, options: Options): Promise<Sample> {
  const message = await inWorker({ task: 'sample', file, options: how }, options)
  if ('sample' in message) return message.sample
  throw new Error('the worker gave no sample')
}

/**
 * Counts the rows of a file, and infers its columns from all of them.
 * @throws Error saying what is wrong with the file
 */
export async function inferRows(file: Blob, how: RowsOptions, options: Options): Promise<Inferred> {
  const message = await inWorker({ task: 'infer', file, options: how }, options)
  if ('inferred' in message) return message.inferred
  throw new Error('the worker inferred nothing')
}

/**
 * Makes a file of another one with some of its rows corrected.
 * @throws Error saying what is wrong with the file
 */
export async function correctFile(
  file: Blob,
  corrections: RowCorrections,
  how: CorrectOptions,
): Promise<Blob> {
  const { signal } = new AbortController()
  const message = await inWorker({ task: 'correct', file, corrections, options: how }, { signal })
  if ('corrected' in message) return message.corrected
  throw new Error('the worker corrected nothing')
}

async function inWorker(
  task: RowsTask,
  { signal, onProgress }: Options,
): Promise<Exclude<RowsMessage, { bytes: number } | { failure: string }>> {
  if (signal.aborted) throw requestAborted(signal.reason)
  const worker = new Worker(new URL('./rows-worker.ts', import.meta.url))
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(requestAborted(signal.reason)))
      worker.addEventListener('error', ({ message }) => {
        reject(new Error(`The file could not be read: ${message}`))
      })
      worker.addEventListener('message', ({ data }: MessageEvent<RowsMessage>) => {
        if ('bytes' in data) onProgress?.(data)
        else if ('failure' in data) reject(new Error(data.failure))
        else resolve(data)
      })
      worker.postMessage(task, [])
    })
  } finally {
    worker.terminate()
  }
}
