import { crc32, deflateSync } from 'node:zlib'
import { addItem, type Client, type NewValue } from '@vitrine/client'

/** A picture as PNG bytes: `seed` settles its colours. */
export function picture(seed = 0, { width = 160, height = 120 } = {}): Buffer<ArrayBuffer> {
  const rows = Buffer.alloc(height * (width * 3 + 1))
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const hill = y > height * (0.55 + 0.12 * Math.sin((x / width) * 6 + seed))
      const at = y * (width * 3 + 1) + 1 + x * 3
      rows[at] = hill ? 40 + ((seed * 37) % 90) : 150 + (y * 90) / height
      rows[at + 1] = hill ? 90 + ((seed * 53) % 80) : 190 - ((seed * 29) % 60)
      rows[at + 2] = hill ? 70 : 220 - (y * 80) / height
    }
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type), data])
  const framed = Buffer.alloc(named.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(named, 4)
  framed.writeUInt32BE(crc32(named), named.length + 4)
  return framed
}

/** A repository of people: `name` and, where known, `country`. */
export async function addPeople(client: Client, name: string): Promise<number[]> {
  await client.repoCreate({
    body: {
      name,
      description: 'People who take photographs',
      schema: [
        { name: 'name', type: 'string', length: 80 },
        { name: 'country', type: 'string', length: 2, optional: true },
      ],
    },
  })
  return [
    await addItem(client, name, { name: 'Ada Lovelace', country: 'GB' }),
    await addItem(client, name, { name: 'Frances Spence' }),
  ]
}

/** A repository with a field of every type, the reference to `people`; it has no items yet. */
export async function addPhotos(client: Client, name: string, people: string): Promise<void> {
  await client.repoCreate({
    body: {
      name,
      description: 'Photographs, each with a title',
      schema: [
        { name: 'title', type: 'string', length: 40 },
        { name: 'taken_by', type: 'reference', target: people },
        { name: 'image', type: 'binary', mime: 'image/*' },
        { name: 'raw', type: 'binary', mime: 'application/octet-stream', optional: true },
        { name: 'notes', type: 'string', length: 2000, optional: true },
      ],
    },
  })
}

/** A photograph for `addPhotos`; what is given replaces or adds a value. */
export function photo(takenBy: number, values: Record<string, NewValue> = {}) {
  return {
    title: 'Morning by the lake',
    taken_by: takenBy,
    image: new Blob([picture(1)], { type: 'image/png' }),
    ...values,
  }
}

/** People, and one photograph by the first of them; her id and its. */
export async function addOnePhoto(
  client: Client,
  { people, photos }: { people: string; photos: string },
): Promise<{ person: number; id: number }> {
  const [person = 0] = await addPeople(client, people)
  await addPhotos(client, photos, people)
  return { person, id: await addItem(client, photos, photo(person)) }
}

/** Three photographs, the first and last by Ada Lovelace, the other by Frances Spence. */
export async function addGallery(client: Client, photos: string, people: string): Promise<void> {
  const [ada = 0, frances = 0] = await addPeople(client, people)
  await addPhotos(client, photos, people)
  await addItem(client, photos, photo(ada, { title: 'Morning' }))
  await addItem(client, photos, photo(frances, { title: 'The mill' }))
  await addItem(client, photos, photo(ada, { title: 'Evening' }))
}

/** A repository of `count` notes, each with one text: 'note 1' and so on. */
export async function addNotes(client: Client, name: string, count = 0): Promise<number[]> {
  await client.repoCreate({
    body: { name, schema: [{ name: 'text', type: 'string', length: 200 }] },
  })
  const ids: number[] = []
  for (let number = 1; number <= count; number += 1) {
    ids.push(await addItem(client, name, { text: `note ${number}` }))
  }
  return ids
}
