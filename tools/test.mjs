import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, pinnedEnvironment } from './install.mjs'
import { root } from './root.mjs'

ensureInstalled()
const words = [join(root, 'tools', 'test-all.mjs'), ...process.argv.slice(2)]
const { status } = spawnSync('node', words, {
  env: pinnedEnvironment(),
  stdio: 'inherit',
})
process.exit(status ?? 1)
