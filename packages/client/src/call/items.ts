import { type AtState, type Exploration, type Item, api, limits } from '@vitrine/contract'
import { ApiError } from './api-error.ts'
import { readReply } from './read-reply.ts'
import { type CallOptions, type ClientOptions, send } from './send.ts'
import { wait } from './retry.ts'

/**
 * `where` and `order` need a server that announces `explore`, `q` and `current` one that announces these, `at` one of
 * `states`.
 */
export type ItemsOptions = CallOptions & Exploration & AtState & { pageSize?: number | undefined }

/** Milliseconds until a view that has not looked at all of its repository is asked again. */
const catchUpMs = 200

/**
 * The items of a dataset in its order, a page at a time, the next one asked for when the last is used
 * up, of fewer items where their texts are long. Of a repository, items that are added meanwhile come at
 * the end; in a view with an order they may move others to a page that was read before, or is read again, as does
 * what is replaced where the current items are read.
 * @throws ApiError when a page cannot be had
 */
export async function* items(
  options: ClientOptions,
  datasetId: string,
  { pageSize = limits.pageSizeMax, signal, onPartial, ...exploration }: ItemsOptions = {},
): AsyncGenerator<Item, void, undefined> {
  const call = api.datasetItemList
  let size = pageSize
  for (let page = 0; ;) {
    let partial = false
    let reply: Item[]
    try {
      reply = (await send(options, call, {
        input: { datasetId, page, pageSize: size, ...exploration },
        signal,
        read: (response) =>
          readReply(call, response, (progress) => {
            partial = true
            onPartial?.(progress)
          }),
      })) as Item[]
    } catch (error) {
      const isTooLarge = error instanceof ApiError && error.code === 'PAGE_TOO_LARGE'
      if (!isTooLarge || size === 1) throw error
      const smaller = divisorBelow(size)
      page *= size / smaller
      size = smaller
      continue
    }
    const short = reply.length < size
    if (short && partial) {
      await wait(catchUpMs, signal)
      continue
    }
    yield* reply
    if (short) return
    page += 1
  }
}

/** The greatest divisor of a page size that is at most a quarter of it, so that pages begin where they did. */
function divisorBelow(size: number): number {
  let divisor = Math.max(1, Math.floor(size / 4))
  while (size % divisor !== 0) divisor -= 1
  return divisor
}
