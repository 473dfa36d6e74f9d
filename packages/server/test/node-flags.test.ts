import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nodeFlags, nodeVariables } from '../src/runtime/node-flags.mjs'

test('an image runs the server as npm start does', () => {
  const file = readFileSync(new URL('../../../Dockerfile', import.meta.url), 'utf8')
  const [, command = ''] = /^CMD (.+)$/m.exec(file) ?? []
  expect(JSON.parse(command)).toEqual(['node', ...nodeFlags, 'packages/server/dist/main.js'])
  const variables = Object.entries(nodeVariables).map((variable) => variable.join('='))
  for (const variable of variables) expect(file).toContain(`ENV ${variable}\n`)
})
