import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/** Where the codes of all error replies that tests see are kept, one a line, when a run collects them. */
const file = process.env['PROVOKED_FILE']

/** Notes the codes of error replies that come from `url`, whoever asks by fetch. */
export function noteProvoked(url: string): () => void {
  if (file === undefined) return () => undefined
  mkdirSync(dirname(file), { recursive: true })
  const original = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const response = await original(input, init)
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    if (!response.ok && isJson && response.url.startsWith(url)) {
      const { code } = (await response.clone().json()) as { code?: string }
      if (code !== undefined) appendFileSync(file, `${code}\n`)
    }
    return response
  }
  return () => {
    globalThis.fetch = original
  }
}
