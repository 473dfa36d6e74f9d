import { expect, test } from 'vitest'
import { deleteDataset } from '../src/datasets/delete-dataset.ts'
import { DroppedData } from '../src/datasets/dropped-data.ts'
import { listDroppedRepos } from '../src/store/drop-data.ts'
import type { Exclusively } from '../src/store/leases.ts'
import { SampleStore } from './sample-store.ts'

const identity = { issuer: 'https://issuer.example', subject: 'somebody' }

test('data of a repository deleted during a cleanup, or just after one, is removed too', async () => {
  await using sample = await SampleStore.open()
  const { store } = sample
  const schema = [{ name: 'word', type: 'string', length: 20 } as const]
  for (const name of ['first', 'second']) await sample.create({ name, schema, items: [] })
  let asked = 0
  const exclusively: Exclusively = async (name, work) => {
    asked += 1
    // As where another process holds it, which has looked already.
    if (asked === 1) return undefined
    const done = await store.exclusively(name, work)
    if (asked === 2) {
      await deleteDataset(store, 'repo', 'second', { identity, rests: false })
      droppedData.wake()
    }
    return done
  }
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const droppedData = new DroppedData({ ...store, exclusively }, { graceMs: 0, onError })
  await deleteDataset(store, 'repo', 'first', { identity, rests: false })
  droppedData.wake()
  await expect.poll(() => asked).toBe(3)
  await expect.poll(() => listDroppedRepos(store.reads)).toEqual([])
  await droppedData.stop()
  expect(errors).toEqual([])
})
