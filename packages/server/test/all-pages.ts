import type { Exploration, Item } from '@vitrine/contract'
import type { TestServer } from './server.ts'

/** Reads the items of an exploration page by page. */
export async function allPages(
  { client }: TestServer,
  datasetId: string,
  asked: Exploration,
  pageSize: number,
): Promise<Item[]> {
  const items: Item[] = []
  for (let page = 0; ; page += 1) {
    const more = await client.datasetItemList({ datasetId, page, pageSize, ...asked })
    items.push(...more)
    if (more.length < pageSize) return items
  }
}
