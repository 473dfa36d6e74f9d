import { randomBytes } from 'node:crypto'
import { addItem, importFile, type Client } from '@vitrine/client'
import { newName } from './app.ts'
import { picture } from './sample-data.ts'
import { fillScreens } from './screens.ts'

/** The datasets of the sample data; the later three are not among the screens. */
export const names = {
  people: newName('people'),
  photos: newName('photos'),
  captions: newName('captions'),
  scans: newName('scans'),
  notes: newName('notes'),
  media: newName('media'),
}

/**
 * Adds something for every screen, notes on two pages, values of media types that are no images, and a picture
 * of more bytes than a tile loads.
 */
export async function addSamples(client: Client): Promise<void> {
  const { scans, notes, media } = names
  await fillScreens(client, (word) => names[word as keyof typeof names])
  await client.repoCreate({
    body: {
      name: notes,
      schema: [
        { name: 'text', type: 'string', length: 200 },
        { name: 'day', type: 'date', optional: true },
      ],
    },
  })
  const rows = Array.from({ length: 21 }, (_, at) => `{"text":"note ${at + 1}"}\n`)
  await importFile(client, notes, new Blob(rows), { format: 'ndjson' })
  const values = [
    ['sound', 'audio/wav', 'no sound at all'],
    ['paper', 'application/pdf', '%PDF-1.4'],
    ['page', 'text/html', '<p>A page</p>'],
    ['facts', 'application/json', '{"colour":"red"}'],
  ] as const
  await client.repoCreate({
    body: { name: media, schema: values.map(([name, mime]) => ({ name, type: 'binary', mime })) },
  })
  const blobs = values.map(([name, type, bytes]) => [name, new Blob([bytes], { type })] as const)
  await addItem(client, media, Object.fromEntries(blobs))
  const large = [picture(4), randomBytes(4 * 1024 ** 2)]
  await addItem(client, scans, { page: new Blob(large, { type: 'image/png' }) })
}
