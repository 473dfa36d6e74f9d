import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, pinnedEnvironment } from './install.mjs'
import { nodeFlags, nodeVariables } from '../packages/server/src/runtime/node-flags.mjs'
import { watchNpm } from './npm-process.mjs'
import { root } from './root.mjs'

/** How often is looked whether npm still runs, in milliseconds: nothing tells when it is killed. */
const watchMs = 1000

const npmRuns = watchNpm()
ensureInstalled()
const server = spawn('node', [...nodeFlags, join(root, 'tools', 'serve.mjs')], {
  env: { ...nodeVariables, ...pinnedEnvironment() },
  // By the channel the server hears when this process is gone.
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  // In a group of its own: a signal of the terminal reaches the server once, from here.
  detached: process.platform !== 'win32',
})
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal))
server.on('exit', (code, signal) => process.exit(signal === null ? code : 1))
setInterval(() => {
  if (!npmRuns()) server.kill('SIGTERM')
}, watchMs).unref()
