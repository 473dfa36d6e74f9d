import { expect, test } from 'vitest'
import { createRecentDatasets } from '../src/palette/use-recent-datasets.ts'
import { memoryStorage } from './memory-storage.ts'

test('the datasets that a user opened last come first, each once', () => {
  const storage = memoryStorage()
  const recent = createRecentDatasets(storage, 'ada')
  for (const name of ['cities', 'countries', 'cities']) recent.remember(name)
  expect(recent.names()).toEqual(['cities', 'countries'])
  expect(createRecentDatasets(storage, 'frances').names()).toEqual([])
  recent.forget('cities')
  expect(createRecentDatasets(storage, 'ada').names()).toEqual(['countries'])
  for (let number = 1; number <= 20; number += 1) recent.remember(`set-${number}`)
  expect(recent.names()).toHaveLength(8)
  expect(recent.names()[0]).toBe('set-20')
})

test('a malformed stored list of recent datasets is read as empty', () => {
  const storage = memoryStorage()
  storage.setItem('vitrine.recent.ada', '{"not": "a list"}')
  expect(createRecentDatasets(storage, 'ada').names()).toEqual([])
  storage.setItem('vitrine.recent.ada', '[')
  expect(createRecentDatasets(storage, 'ada').names()).toEqual([])
})
