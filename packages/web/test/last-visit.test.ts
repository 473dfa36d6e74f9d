import { expect, test } from 'vitest'
import { createLastVisit } from '../src/pages/Datasets/use-last-visit.ts'
import { memoryStorage } from './memory-storage.ts'

test('the last visit is the latest of the user before this tab, and stays the same within the tab', () => {
  const browser = memoryStorage()
  const visit = (tab: ReturnType<typeof memoryStorage>, user: string, now: number) => {
    const { since, note } = createLastVisit({ tab, browser }, user)
    const before = since()
    note(now)
    return before
  }
  const tab = memoryStorage()
  expect(visit(tab, 'ada', 1000)).toBe(undefined)
  expect(visit(tab, 'ada', 2000)).toBe(undefined)
  const next = memoryStorage()
  expect(visit(next, 'ada', 3000)).toBe(2000)
  expect(visit(next, 'ada', 4000)).toBe(2000)
  expect(visit(next, 'frances', 4000)).toBe(undefined)
  expect(visit(memoryStorage(), 'ada', 5000)).toBe(4000)
})

test('a browser that withholds its storage has no visits', () => {
  const refuse = () => {
    throw new Error('withheld')
  }
  const withheld = { getItem: refuse, setItem: refuse }
  const { since, note } = createLastVisit({ tab: withheld, browser: withheld }, 'ada')
  note(1000)
  expect(since()).toBe(undefined)
})
