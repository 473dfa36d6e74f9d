import { limits } from '@vitrine/contract'

export type Page = { page: number; pageSize: number }

/** The entries of a list, page by page as they are asked for. */
export async function* pagesOf<T>(
  list: (input: Page) => Promise<T[]>,
): AsyncGenerator<T, void, undefined> {
  const pageSize = limits.pageSizeMax
  for (let page = 0; ; page += 1) {
    const entries = await list({ page, pageSize })
    yield* entries
    if (entries.length < pageSize) return
  }
}
