import { describe, expect, test } from 'vitest'
import { createDraftStore } from '../src/drafts/use-draft.ts'

/** Storage as a browser gives it, with room for so many characters. */
function createStorage(room = Infinity) {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (value.length > room) throw new DOMException('full', 'QuotaExceededError')
      kept.set(key, value)
    },
    removeItem: (key: string) => void kept.delete(key),
  }
}

const text = (stored: unknown) => (typeof stored === 'string' ? stored : undefined)

describe('drafts', () => {
  test('come back as they were written, until they are cleared', () => {
    const store = createDraftStore(createStorage(), 'ann')
    expect(store.read('addrepo', text)).toBeUndefined()
    store.write('addrepo', '---\nname: ä')
    expect(store.read('addrepo', text)).toBe('---\nname: ä')
    store.clear('addrepo')
    expect(store.read('addrepo', text)).toBeUndefined()
  })

  test('are kept apart by screen and by user', () => {
    const storage = createStorage()
    createDraftStore(storage, 'ann').write('addrepo', 'hers')
    expect(createDraftStore(storage, 'ann').read('addview', text)).toBeUndefined()
    expect(createDraftStore(storage, 'bob').read('addrepo', text)).toBeUndefined()
    expect(createDraftStore(storage, 'a.addrepo').read('addrepo', text)).toBeUndefined()
  })

  test('are ignored if they are not JSON or lack the expected shape', () => {
    const storage = createStorage()
    const store = createDraftStore(storage, 'ann')
    store.write('addrepo', { not: 'text' })
    expect(store.read('addrepo', text)).toBeUndefined()
    for (const key of storage.kept.keys()) storage.kept.set(key, '{')
    expect(store.read('addrepo', text)).toBeUndefined()
  })

  test('keep their previous text, without an error, if storage is full', () => {
    const store = createDraftStore(createStorage(10), 'ann')
    store.write('addrepo', 'short')
    expect(() => store.write('addrepo', 'much longer than that')).not.toThrow()
    expect(store.read('addrepo', text)).toBe('short')
  })
})
