import { expect, test } from 'vitest'
import type { Access } from '../src/access/identity.ts'
import { deleteDataset } from '../src/datasets/delete-dataset.ts'
import { DroppedData } from '../src/datasets/dropped-data.ts'
import { findDataset } from '../src/store/datasets.ts'
import { listDroppedRepos } from '../src/store/drop-data.ts'
import type { Exclusively } from '../src/store/leases.ts'
import type { Store } from '../src/store/store.ts'
import { SampleStore } from './sample-store.ts'

const identity = { issuer: 'https://issuer.example', subject: 'somebody' }

async function remove(store: Store, name: string): Promise<void> {
  const { id: datasetId } = (await findDataset(store.reads, name))!
  const access: Access = { datasetId, role: 'owner', owners: [] }
  await deleteDataset(store, 'repo', name, {
    identity,
    visibility: 'all',
    access,
    rests: false,
  })
}

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
      await remove(store, 'second')
      droppedData.wake()
    }
    return done
  }
  const errors: unknown[] = []
  const onError = (error: unknown) => errors.push(error)
  const droppedData = new DroppedData({ ...store, exclusively }, { graceMs: 0, onError })
  await remove(store, 'first')
  droppedData.wake()
  await expect.poll(() => asked).toBe(3)
  await expect.poll(() => listDroppedRepos(store.reads)).toEqual([])
  await droppedData.stop()
  expect(errors).toEqual([])
})
