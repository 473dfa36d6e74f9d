import { expect, test } from 'vitest'
import { auditDetails, repoLogOrigin } from '../src/index.ts'

const checkpointOf = (name: string, size: number) => ({
  origin: repoLogOrigin({ installation: 'example.org/api/log', name, generation: '0123456789' }),
  size,
  root: '0'.repeat(64),
})

test('details are a line, and checkpoints in it states', () => {
  expect(auditDetails({})).toBe('')
  expect(auditDetails({ details: { role: 'reader', changes: ['a', { b: 1 }] } })).toBe(
    'role: reader, changes: a; {"b":1}',
  )
  const checkpoints = [checkpointOf('photos', 1200), checkpointOf('people', 7)]
  expect(auditDetails({ details: { checkpoints } })).toBe('checkpoints: photos@1200; people@7')
  const many = Array.from({ length: 12 }, (_, at) => checkpointOf(`r${at}`, at + 1))
  expect(auditDetails({ details: { checkpoints: many } })).toMatch(
    /^checkpoints: r0@1; .*; r9@10; 2 more$/,
  )
  expect(auditDetails({ details: { checkpoints: ['other'] } })).toBe('checkpoints: other')
})
