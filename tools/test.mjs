import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, pinnedEnvironment } from './install.mjs'
import { root } from './root.mjs'

ensureInstalled()
const { status } = spawnSync('node', [join(root, 'tools', 'test-all.mjs')], {
  env: pinnedEnvironment(),
  stdio: 'inherit',
})
process.exit(status ?? 1)
