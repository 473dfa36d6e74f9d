import { appendFileSync } from 'node:fs'
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** File of the codes of all error replies that tests see, one a line. */
    provokedFile: string
  }
}

/** Notes the codes of error replies that come from `url`, whoever asks by fetch. */
export function noteProvoked(url: string): () => void {
  const file = inject('provokedFile')
  const original = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const response = await original(input, init)
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    const hasBody = init?.method !== 'HEAD'
    if (!response.ok && isJson && hasBody && response.url.startsWith(url)) {
      const { code } = (await response.clone().json()) as { code?: string }
      if (code !== undefined) appendFileSync(file, `${code}\n`)
    }
    return response
  }
  return () => {
    globalThis.fetch = original
  }
}
