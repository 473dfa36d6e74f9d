import { expect, test } from 'vitest'
import { usualSizes } from '../src/listings/sizes.ts'
import { SampleStore } from './sample-store.ts'

test('items before and between those already sorted are listed in their place', async () => {
  await using sample = await SampleStore.open({
    ...usualSizes,
    sortedInPlace: 2,
    sortedBatch: 4,
    block: 2,
    blockMax: 4,
  })
  await sample.create({
    name: 'words',
    schema: [{ name: 'word', type: 'string', length: 20 }],
    items: [],
  })
  let id = 0
  const commit = (word: string) =>
    sample.commit('words', { id: (id += 1), createdAt: 0, data: { word } })
  const dataset = (await sample.datasets.find('words'))!
  const listed = async () => {
    const explored = (await sample.datasets.explorations.find(dataset, { order: ['word'] }, 'all'))!
    const found: unknown[] = []
    for (let page = 0; found.length < id; page += 1) {
      const { value } = await explored.page({ page, pageSize: 1 })
      found.push(...value.map(({ data }) => data['word']))
    }
    return found.join('')
  }

  for (const word of ['m', 'g', 'p', 'e', 'k', 'r', 'i', 'c', 'o', 't']) await commit(word)
  expect(await listed()).toEqual('cegikmoprt')
  for (const word of ['b', 'a', 'h', 'z', 'q', 'd']) await commit(word)
  expect(await listed()).toEqual('abcdeghikmopqrtz')
})
