import { addItem, createClient } from '@vitrine/client'
import { photograph } from '../packages/server/test/pictures.ts'
import type { Measurement } from './measurement.ts'
import { startSignedInServer } from './signed-in-server.ts'
import { median } from './statistics.ts'

/** Different photographs of a camera of 12 megapixels. */
const photographs = 12
const reads = 20
const width = 512
/** Requests side by side, as many as a browser makes. */
const atOnce = 6

/** How long a small picture of a photograph takes the first time and again, and what it takes of memory. */
export const smallPictures: Measurement = {
  name: 'small-pictures',
  run: async (opened, engine) => {
    const { server, token } = opened.use(await startSignedInServer(await engine.newDatabase()))
    const client = createClient({ baseUrl: server.url, token: () => token })
    const schema = [{ name: 'image', type: 'binary', mime: 'image/jpeg' }]
    await client.repoCreate({ body: { name: 'photos', schema } })
    const ids: number[] = []
    let bytes = 0
    for (let count = 0; count < photographs; count += 1) {
      const image = await photograph({ width: 4000, height: 3000 })
      bytes += image.length
      ids.push(
        await addItem(client, 'photos', { image: new Blob([image], { type: 'image/jpeg' }) }),
      )
    }
    const read = async (itemId: number) => {
      const began = performance.now()
      await client.datasetPictureGet({ datasetId: 'photos', itemId, fieldName: 'image', width })
      return performance.now() - began
    }
    server.resetPeak()
    const before = server.memory()
    const half = photographs / 2
    const firsts: number[] = []
    const cpuBefore = server.cpuSeconds()
    for (const id of ids.slice(0, half)) firsts.push(await read(id))
    const cpuEach = ((server.cpuSeconds() - cpuBefore) * 1000) / half
    const agains: number[] = []
    for (let count = 0; count < reads; count += 1) agains.push(await read(ids[0]!))
    const together = await readTogether(ids.slice(half), read)
    return [
      {
        what: `first time, of ${(bytes / photographs / 1e6).toFixed(1)} MB`,
        value: median(firsts),
        unit: 'ms',
      },
      { what: 'of it, processor time', value: cpuEach, unit: 'ms' },
      { what: 'again', value: median(agains), unit: 'ms' },
      { what: `${half} others, ${atOnce} at once`, value: together, unit: 'ms' },
      { what: 'memory before', value: before / 1e6, unit: 'MB' },
      {
        what: 'more memory meanwhile, at most',
        value: (server.peakMemory() - before) / 1e6,
        unit: 'MB',
      },
    ]
  },
}

/** The milliseconds until all are there. */
async function readTogether(ids: number[], read: (id: number) => Promise<number>): Promise<number> {
  const began = performance.now()
  const waiting = [...ids]
  const reading = Array.from({ length: atOnce }, async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) await read(id)
  })
  await Promise.all(reading)
  return performance.now() - began
}
