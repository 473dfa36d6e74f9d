import {
  ApiError,
  createClient,
  openReply,
  verifyDataset,
  type Client,
  type DatasetDamage,
  type DatasetProgress,
  type DatasetVerification,
  type DatasetVerified,
  type FilePlace,
  type KnownLog,
  type ReadFile,
} from '@vitrine/client'
import { toHex } from '@vitrine/contract'
import { createSHA256 } from 'hash-wasm'

/** Task of the worker: verify a dataset as the server shows it, or a file that was exported from it. */
export type VerifyTask = {
  baseUrl: string
  datasetId: string
  hasLog: boolean
  exported: Blob | undefined
}

/** Question to the page, which alone has the token of its session and the states of logs that it verified before. */
export type VerifyQuestion = { asks: 'token' } | { asks: 'known'; repo: string }

/** Message from the worker: a question, how far it is, damage, that a token was refused, and how it ended. */
export type VerifyMessage =
  | (VerifyQuestion & { number: number })
  | { progress: DatasetProgress }
  | { damage: DatasetDamage }
  | { unauthorized: true }
  | { verified: DatasetVerified }
  | { failure: string }

/** Message to the worker: first the task, then answers. */
export type VerifyAnswer = { number: number; answer: string | KnownLog | undefined }

/** How often the page is told how far it is, in milliseconds. */
const followMs = 200

const waiting = new Map<number, (answer: VerifyAnswer['answer']) => void>()
let questions = 0

addEventListener('message', ({ data }: MessageEvent<VerifyTask | VerifyAnswer>) => {
  if ('number' in data) {
    waiting.get(data.number)?.(data.answer)
    waiting.delete(data.number)
    return
  }
  verify(data).then(
    (verified) => say({ verified }),
    (error: unknown) => say({ failure: (error as Error).message }),
  )
})

function say(message: VerifyMessage): void {
  postMessage(message, { transfer: [] })
}

function ask(question: VerifyQuestion): Promise<VerifyAnswer['answer']> {
  questions += 1
  const number = questions
  return new Promise((resolve) => {
    waiting.set(number, resolve)
    say({ ...question, number })
  })
}

async function verify({
  baseUrl,
  datasetId,
  hasLog,
  exported,
}: VerifyTask): Promise<DatasetVerified> {
  const client = createClient({
    baseUrl,
    token: async () => (await ask({ asks: 'token' })) as string | undefined,
    onUnauthorized: () => say({ unauthorized: true }),
  })
  const { signal } = new AbortController()
  let followedAt = -Infinity
  return verifyDataset(client, datasetId, {
    hash: await openHash(),
    readFile: (place) => readFile(client, place),
    hasLog,
    findKnown: async (repo) => (await ask({ asks: 'known', repo })) as KnownLog | undefined,
    onDamage: (damage) => say({ damage }),
    onProgress: (progress) => {
      const now = performance.now()
      if (now - followedAt < followMs) return
      followedAt = now
      say({ progress })
    },
    // The page ends the worker.
    signal,
    exported: exported?.stream() as DatasetVerification['exported'],
  })
}

/** By WebAssembly, which takes a tenth of the time of WebCrypto for short values, where it is not refused. */
async function openHash(): Promise<DatasetVerification['hash']> {
  const hasher = await createSHA256().catch(() => undefined)
  if (hasher === undefined) {
    return async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  }
  return (bytes) => new Uint8Array(hasher.init().update(bytes).digest('binary'))
}

/** @throws ApiError where the server refuses */
async function readFile(client: Client, place: FilePlace): Promise<ReadFile> {
  let size = 0
  try {
    const { body } = await openReply(client, 'datasetFieldGet', place)
    const hasher = await createSHA256().catch(() => undefined)
    if (hasher === undefined) {
      const bytes = await new Response(body).arrayBuffer()
      const sha256 = toHex(await crypto.subtle.digest('SHA-256', bytes))
      return { ok: true, sha256, size: bytes.byteLength }
    }
    for await (const piece of body!) {
      hasher.update(piece)
      size += piece.length
    }
    return { ok: true, sha256: hasher.digest('hex'), size }
  } catch (error) {
    const isAnswer = error instanceof ApiError && error.status > 0
    if (isAnswer && error.status !== 500) throw error
    const reason = isAnswer ? 'the server cannot read it' : 'the reply broke off'
    return { ok: false, bytes: size, reason }
  }
}
