import { expect, test } from 'vitest'
import { releaseNotes } from './release-notes.ts'

const changelog = `# Changelog

## 0.3.0 — unreleased

- Something.

## 0.2.0 — 22 November 2026

- One thing.
- Another.

## 0.1.0 — 2026-01-01
`

test('the notes of a version are its section of the changelog', () => {
  expect(releaseNotes(changelog, '0.2.0')).toBe('- One thing.\n- Another.')
})

test.for([
  ['0.3.0', 'has no date'],
  ['0.1.0', 'is empty'],
  ['0.2', 'is not there'],
])('%s is not released: its section %s', ([version]) => {
  expect(releaseNotes(changelog, version!)).toBeUndefined()
})
