import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import type { Issuer } from './issuer.ts'

const main = join(import.meta.dirname, '../src/main.ts')

export type ChildServer = {
  url: string
  /** Ends the process at once, whatever it is doing. */
  kill: () => Promise<void>
}

/** Variables meant for the tests are none of the server's, which refuses what it does not know. */
const withoutOurs = (env: NodeJS.ProcessEnv) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('VITRINE_')))

/** Starts the server as a process of its own, as people do; it ends with the test at the latest. */
export async function startChildServer({
  dataDir,
  issuer,
  env,
}: {
  dataDir: string
  issuer: Issuer
  /** More of its environment. */
  env: Record<string, string>
}): Promise<ChildServer> {
  const child = spawn(process.execPath, [main], {
    env: {
      ...withoutOurs(process.env),
      VITRINE_PORT: '0',
      VITRINE_DATA_DIR: dataDir,
      VITRINE_OIDC_AUTHORITY: issuer.issuer,
      VITRINE_OIDC_CLIENT_ID: issuer.clientId,
      VITRINE_OIDC_AUDIENCE: issuer.audience,
      VITRINE_LOG_LEVEL: 'silent',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  onTestFinished(kill)
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const port = /is at http:\/\/localhost:(\d+)/.exec(line)?.[1]
      if (port !== undefined) resolve(`http://127.0.0.1:${port}`)
    })
    void exited.then(() => reject(new Error('the server ended before it was ready')))
  })
  return { url, kill }
}
