import { expect, test } from 'vitest'
import { sameSitePath } from '../src/auth/return-path.ts'

const origin = 'http://localhost:8080'

test.each([
  ['/dataset/photos', '/dataset/photos'],
  ['/dataset/photos/item?page=3#x', '/dataset/photos/item?page=3#x'],
  ['/a/../view/', '/view/'],
])('%j leads to %j', (text, path) => {
  expect(sameSitePath(text, origin)).toBe(path)
})

test.each([
  '',
  '/',
  'dataset',
  'https://evil.example/',
  '//evil.example/x',
  '/\\evil.example',
  '/\t/evil.example',
  '/.//evil.example',
  'javascript:alert(1)',
  '/\\\\evil.example',
])('%j leads nowhere', (text) => {
  expect(sameSitePath(text, origin)).toBeUndefined()
})
