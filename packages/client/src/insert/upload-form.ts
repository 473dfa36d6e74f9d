import type { Call } from '@vitrine/contract'
import { ApiError, requestAborted, unreached } from '../call/api-error.ts'
import type { Client } from '../call/client.ts'
import { authorization, failure, failureOf } from '../call/send.ts'

export type UploadRequest = {
  call: Call
  url: string
  form: FormData
  signal: AbortSignal
  /** Called with the bytes of the body sent so far, where the transport reports them. */
  onProgress: (bytes: number) => void
}

/** Sends a form and resolves when the server has taken it. */
export type Upload = (client: Client, request: UploadRequest) => Promise<void>

/** By what tells of upload progress: XMLHttpRequest in browsers, a stream that is watched in Node. */
export const uploadForm: Upload = (client, request) =>
  typeof XMLHttpRequest === 'undefined' ? byFetch(client, request) : byXhr(client, request)

/**
 * Sends a form by fetch. Servers answer an upload as they like, so only its status counts. Browsers
 * without XMLHttpRequest, in service workers, send the form as it is: few of them take a stream.
 */
async function byFetch(client: Client, request: UploadRequest): Promise<void> {
  const { call, url, form, signal } = request
  const headers = await authorization(client.options)
  const encoded = 'process' in globalThis ? watched(request) : { body: form, headers: {} }
  let response: Response
  try {
    response = await fetch(url, {
      method: call.method,
      signal,
      ...encoded,
      headers: { ...headers, ...encoded.headers },
    })
  } catch (error) {
    throw cutOff(signal, error)
  }
  if (!response.ok) throw await failureOf(client.options, call, response)
  await response.body?.cancel()
}

/** The form as a stream of its encoded bytes, counted as the connection takes them. */
function watched({ form, onProgress }: UploadRequest) {
  const encoded = new Response(form)
  let sent = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform: (bytes, controller) => {
      sent += bytes.length
      onProgress(sent)
      controller.enqueue(bytes)
    },
  })
  return {
    body: encoded.body!.pipeThrough(counting),
    duplex: 'half',
    headers: { 'content-type': encoded.headers.get('content-type')! },
  }
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
      xhr.addEventListener('error', () => reject(cutOff(signal, undefined)))
      xhr.addEventListener('abort', () => reject(requestAborted(signal.reason)))
      xhr.open(call.method, url)
      for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value)
      xhr.send(form)
    })
  } finally {
    signal.removeEventListener('abort', abort)
  }
  const { status, statusText, responseText: text } = xhr
  if (status >= 200 && status <= 299) return
  const retryAfter = xhr.getResponseHeader('retry-after')
  throw failure(client.options, call, { status, statusText, text, retryAfter })
}

function cutOff(signal: AbortSignal, cause: unknown): ApiError {
  return signal.aborted
    ? requestAborted(cause)
    : unreached(cause, 'The upload was cut off: the server could not be reached')
}
