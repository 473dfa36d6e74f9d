import {
  requestAborted,
  type Client,
  type DatasetDamage,
  type DatasetProgress,
  type DatasetVerified,
} from '@vitrine/client'
import type { KnownLogs } from './known-logs.ts'
import type { VerifyAnswer, VerifyMessage, VerifyQuestion, VerifyTask } from './verify-worker.ts'

type Options = {
  logs: KnownLogs
  onProgress: (progress: DatasetProgress) => void
  onDamage: (damage: DatasetDamage) => void
  signal: AbortSignal
}

/**
 * Verifies a dataset, or a file that was exported of it, in a worker, and remembers the state of its log.
 * @throws Error saying why not all of it could be verified
 */
export async function verifyInWorker(
  { options }: Client,
  task: Omit<VerifyTask, 'baseUrl'>,
  { logs, onProgress, onDamage, signal }: Options,
): Promise<DatasetVerified> {
  const worker = new Worker(new URL('./verify-worker.ts', import.meta.url))
  const post = (message: VerifyTask | VerifyAnswer) => worker.postMessage(message, [])
  const answer = async (question: VerifyQuestion) =>
    question.asks === 'token' ? options.token() : logs.find(question.repo)
  try {
    return await new Promise<DatasetVerified>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(requestAborted(signal.reason)))
      worker.addEventListener('error', ({ message }) => {
        reject(new Error(`The dataset could not be verified: ${message}`))
      })
      worker.addEventListener('message', ({ data }: MessageEvent<VerifyMessage>) => {
        if ('asks' in data) {
          const { number } = data
          answer(data).then((reply) => post({ number, answer: reply }), reject)
        } else if ('progress' in data) onProgress(data.progress)
        else if ('damage' in data) onDamage(data.damage)
        else if ('unauthorized' in data) options.onUnauthorized?.()
        else if ('failure' in data) reject(new Error(data.failure))
        else {
          const { log } = data.verified
          if (log?.known !== undefined) logs.keep(log.repo, log.known)
          resolve(data.verified)
        }
      })
      post({ baseUrl: options.baseUrl, ...task })
    })
  } finally {
    worker.terminate()
  }
}
