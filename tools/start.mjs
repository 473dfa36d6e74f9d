import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, pinnedEnvironment } from './install.mjs'
import { nodeFlags, nodeVariables } from './node-flags.mjs'
import { root } from './root.mjs'

ensureInstalled()
const server = spawn('node', [...nodeFlags, join(root, 'tools', 'serve.mjs')], {
  env: { ...nodeVariables, ...pinnedEnvironment() },
  stdio: 'inherit',
})
// A terminal sends the signal to both; a supervisor sends it only here.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => server.kill(signal))
server.on('exit', (code, signal) => process.exit(signal === null ? code : 1))
