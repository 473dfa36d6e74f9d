import { addItem } from '@vitrine/client'
import { expect, test } from 'vitest'
import { startTestServer } from './server.ts'

test('addresses in the web are kept, filtered and exported as such', async () => {
  const server = await startTestServer()
  try {
    const { client } = server
    const schema = [{ name: 'site', type: 'url', optional: true }]
    await client.repoCreate({ body: { name: 'sites', schema } })
    await addItem(client, 'sites', { site: 'https://example.org/b' })
    await addItem(client, 'sites', { site: 'https://example.net/' })
    const refused = addItem(client, 'sites', { site: 'https://example.org' })
    await expect(refused).rejects.toMatchObject({
      problems: ['site: must be written https://example.org/'],
    })
    await expect(addItem(client, 'sites', { site: 'javascript:alert(1)' })).rejects.toThrow()
    const asked = async (query: object) =>
      (await client.datasetItemList({ datasetId: 'sites', ...query })).map(({ data }) => data)
    const where = JSON.stringify({ site: { eq: 'HTTPS://EXAMPLE.NET' } })
    expect(await asked({ where })).toEqual([{ site: 'https://example.net/' }])
    expect(await asked({ order: 'site' })).toEqual([
      { site: 'https://example.net/' },
      { site: 'https://example.org/b' },
    ])
    const croissant = await server.request('/api/dataset/sites/export?format=croissant')
    expect(await croissant.text()).toContain('sc:URL')
  } finally {
    await server.close()
  }
})
