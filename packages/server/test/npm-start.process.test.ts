// @module-tag whole

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '../../..')

test.each(['SIGTERM', 'SIGKILL'] as const)('%s of npm start ends the server', async (signal) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-npm-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const { PATH, HOME } = process.env
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { PATH, HOME, VITRINE_PORT: '0', VITRINE_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // The pipe is closed once nobody has it open any more: npm, its shell, and the server.
  const closed = once(npm.stdout, 'close')
  await new Promise<void>((resolve, reject) => {
    createInterface(npm.stdout).on('line', (line) => {
      if (line.includes('Vitrine is at')) resolve()
    })
    npm.stdout.on('close', () => reject(new Error('the server ended before it was ready')))
  })
  npm.kill(signal)
  await closed
})

test.each(['SIGINT', 'SIGTERM'] as const)('one %s stops the server in order', async (signal) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-start-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const { PATH, HOME } = process.env
  const started = spawn(process.execPath, ['tools/start.mjs'], {
    cwd: root,
    env: { PATH, HOME, VITRINE_PORT: '0', VITRINE_DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void started.kill('SIGKILL'))
  const exited = once(started, 'exit')
  createInterface(started.stdout).on('line', (line) => {
    if (line.includes('Sign in as')) started.kill(signal)
  })
  expect(await exited).toEqual([0, null])
})
