import type { Call } from '@vitrine/contract'
import { ApiError, requestAborted } from './api-error.ts'
import { authorization, failure, type Client } from './client.ts'

export type UploadRequest = {
  call: Call
  url: string
  form: FormData
  signal: AbortSignal
  /** Told of the bytes of the body sent so far, where the transport can tell. */
  onProgress: (bytes: number) => void
}

/** Sends a form and resolves when the server has taken it. */
export type Upload = (client: Client, request: UploadRequest) => Promise<void>

/** XMLHttpRequest where there is one, as only it tells of upload progress; fetch elsewhere. */
export const uploadForm: Upload = (client, request) =>
  typeof XMLHttpRequest === 'undefined' ? byFetch(client, request) : byXhr(client, request)

async function byFetch(client: Client, { call, url, form, signal }: UploadRequest): Promise<void> {
  const headers = await authorization(client.options)
  let response: Response
  try {
    response = await fetch(url, { method: call.method, headers, body: form, signal })
  } catch (error) {
    throw unreached(signal, error)
  }
  settle(client, call, {
    status: response.status,
    statusText: response.statusText,
    text: await response.text(),
  })
}

async function byXhr(client: Client, request: UploadRequest): Promise<void> {
  const { call, url, form, signal, onProgress } = request
  const headers = await authorization(client.options)
  if (signal.aborted) throw requestAborted(signal.reason)
  const xhr = new XMLHttpRequest()
  const abort = () => xhr.abort()
  signal.addEventListener('abort', abort)
  try {
    await new Promise<void>((resolve, reject) => {
      xhr.upload.addEventListener('progress', ({ loaded }) => onProgress(loaded))
      xhr.addEventListener('load', () => resolve())
      xhr.addEventListener('error', () => reject(unreached(signal, undefined)))
      xhr.addEventListener('abort', () => reject(requestAborted(signal.reason)))
      xhr.open(call.method, url)
      for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
      xhr.send(form)
    })
  } finally {
    signal.removeEventListener('abort', abort)
  }
  settle(client, call, {
    status: xhr.status,
    statusText: xhr.statusText,
    text: xhr.responseText,
  })
}

function unreached(signal: AbortSignal, cause: unknown): ApiError {
  return signal.aborted
    ? requestAborted(cause)
    : new ApiError('The upload was cut off: the server could not be reached', { cause })
}

/** What an upload returns is not specified (§7), so nothing is asked of a reply but its status. */
function settle(
  client: Client,
  call: Call,
  reply: { status: number; statusText: string; text: string },
): void {
  if (reply.status < 200 || reply.status > 299) throw failure(client.options, call, reply)
}
