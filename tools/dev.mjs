import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, pinnedEnvironment } from './install.mjs'
import { nodeFlags, nodeVariables } from '../packages/server/src/runtime/node-flags.mjs'
import { root } from './root.mjs'

// People open the web app's development server; it passes on to the API server what is not its own.
ensureInstalled()
const port = process.env.VITRINE_PORT ?? '8080'
const apiPort = String(Number(port) + 1)
const env = pinnedEnvironment()
const watching = ['--watch', '--watch-preserve-output', 'packages/server/src/main.ts']
const children = [
  spawn('node', [...nodeFlags, ...watching], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...nodeVariables,
      ...env,
      VITRINE_PORT: apiPort,
      VITRINE_PUBLIC_URL: process.env.VITRINE_PUBLIC_URL ?? `http://localhost:${port}`,
    },
  }),
  spawn('npx', ['--no-install', 'rsbuild', 'dev', '--port', port], {
    cwd: join(root, 'packages', 'web'),
    stdio: 'inherit',
    env: { ...env, VITRINE_SERVER_URL: `http://127.0.0.1:${apiPort}` },
  }),
]
const stop = () => children.forEach((child) => child.kill())
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stop)
for (const child of children) child.on('exit', stop)
