import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from '@playwright/test'
import { installPackage } from './install-package.mjs'

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']

/**
 * Finds a Chromium for the browser tests: one that is there, else Playwright's own, else Debian's
 * package. Says which; ends the process with a sentence when none can be had.
 */
export function findChromium() {
  const found =
    fromEnvironment() ?? onPath() ?? playwrights() ?? installPlaywrights() ?? installDebians()
  if (found === undefined) {
    console.error(
      'The browser tests need Chromium, and none could be had. Install one and put it on the PATH, ' +
        'or name it in CHROMIUM_PATH.',
    )
    process.exit(1)
  }
  console.log(`Chromium for the browser tests: ${found.path} (${found.from})`)
  return found.path
}

function fromEnvironment() {
  const path = process.env.CHROMIUM_PATH
  return path === undefined ? undefined : { path, from: 'named in CHROMIUM_PATH' }
}

function onPath() {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) {
      const path = join(folder, name)
      if (isExecutable(path)) return { path, from: 'found on the PATH' }
    }
  }
  return undefined
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function playwrights() {
  const path = chromium.executablePath()
  return existsSync(path) ? { path, from: "Playwright's own" } : undefined
}

function installPlaywrights() {
  console.log("No Chromium here; trying Playwright's own …")
  spawnSync('npx', ['--no-install', 'playwright', 'install', 'chromium'], {
    stdio: 'ignore',
    timeout: 300_000,
  })
  return playwrights()
}

function installDebians() {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  console.log("Playwright's own cannot be had; trying Debian's package …")
  installPackage('chromium')
  const found = onPath()
  return found === undefined ? undefined : { ...found, from: "Debian's package, just installed" }
}
