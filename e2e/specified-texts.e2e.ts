import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'

/** Every text that is fixed to the letter and that a screen shows. */
const shown = [
  'Datasets',
  'Repos',
  'Views',
  'Logout',
  'name',
  'created at',
  'You do not have any records yet.',
  'delete',
  'Request successful',
  'Dataset has no Items',
  'show',
  'mime type not supported',
  'loading...',
  'NOT IMPLEMENTED',
  'base dataset',
  'You do not have any views yet.',
  'Repositories',
  'You do not have any repositories yet.',
  ': Add Item',
  'Add Repository',
  'Enter YAML repository description',
  '---',
  'Submit',
  'Add View',
  'Enter YAML view description',
  '404 - Page not found',
  'Unexpected Application Error!',
  'dataset is neiter view nor repo: invalid',
  'data does not conform to schema',
  'got incorrect data in request',
  'field not in schema',
  'Bad Request',
  'Unauthorized',
  'Not Found',
  'Conflict',
  'Unprocessable Content',
  'Internal Server Error',
  'Generic Error: ',
  'Request aborted',
  'dataset not found',
  'dataset or item not found',
  'unknown error',
  'repo not found',
  'repo or item not found',
  'view not found',
  'State does not match',
  'No matching state found in storage',
  'ID Token is missing a subject claim',
  'No end session endpoint',
  'Sign-in failed',
  'Sign-out failed',
]

/** Texts of the sign-in library that no configuration of this app leads to. */
const shipped = [
  'No state in response',
  'Only the Authorization Code flow (with PKCE) is supported',
  'Network timed out',
  'IFrame timed out without a response',
  'Popup closed by user',
  'Popup blocked by user',
]

test('every fixed text is asked for by a test', () => {
  const tests = globSync('*.e2e.ts', { cwd: import.meta.dirname })
    .filter((file) => file !== 'specified-texts.e2e.ts')
    .map((file) => readFileSync(join(import.meta.dirname, file), 'utf8'))
  expect(shown.filter((text) => !tests.some((source) => source.includes(text)))).toEqual([])
})

test('the sign-in library says the rest', () => {
  const dist = join(import.meta.dirname, '../packages/web/dist')
  const scripts = globSync('static/js/**/*.js', { cwd: dist }).map((file) =>
    readFileSync(join(dist, file), 'utf8'),
  )
  expect(shipped.filter((text) => !scripts.some((script) => script.includes(text)))).toEqual([])
})
