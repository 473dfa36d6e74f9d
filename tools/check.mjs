import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { root } from './root.mjs'

// `npm run check`: format, lint, types, rooms, comments and unused code, each as `npm run check:…` does it, all at once.

const results = ['types', 'lint', 'format', 'unused', 'rooms', 'comments'].map(async (name) => {
  const began = performance.now()
  const child = spawn('npm', ['run', '--silent', `check:${name}`], {
    cwd: root,
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(`check:${name} ${status === 0 ? 'passed' : 'FAILED'} after ${seconds} s`)
  if (status !== 0) console.log(`${out}${err}`)
  return status === 0
})
process.exitCode = (await Promise.all(results)).every(Boolean) ? 0 : 1
