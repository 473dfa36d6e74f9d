import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const main = join(import.meta.dirname, '..', 'packages', 'cli', 'src', 'main.ts')

/** Loads the demo into a server, as `npm run demo` does. */
export function loadDemo(url: string, token: string): void {
  const words = [main, 'demo', '--server', url, '--token', token]
  const { status } = spawnSync(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (status !== 0) throw new Error('the demo could not be loaded')
}
