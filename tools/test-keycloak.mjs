import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { findChromium } from './chromium.mjs'
import { freePort } from './free-port.mjs'
import { installKeycloak, startKeycloak } from './keycloak.mjs'
import { root } from './root.mjs'

const chromium = findChromium()
await installKeycloak()
const port = await freePort()
const keycloak = await startKeycloak({ publicUrl: `http://localhost:${port}` })
const tests = spawn(
  'npx',
  [
    '--no-install',
    'playwright',
    'test',
    '--config',
    'e2e/keycloak.config.ts',
    ...process.argv.slice(2),
  ],
  {
    cwd: root,
    env: { ...process.env, ...keycloak.env, CHROMIUM_PATH: chromium, VITRINE_PORT: String(port) },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  },
)
const [status] = await once(tests, 'exit')
await keycloak.stop()
process.exitCode = status ?? 1
