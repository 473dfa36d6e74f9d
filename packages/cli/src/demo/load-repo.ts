import { readFile } from 'node:fs/promises'
import { plainText } from '@vitrine/contract'
import type { Client } from '@vitrine/client'
import { parseDescription } from '@vitrine/client/yaml'
import type { DemoItem, DemoRepo, LoadedIds } from './demo-repo.ts'
import type { Progress, ShowProgress } from '../command/progress.ts'

/** Adds items to a repository in one way or another, and returns their ids by their keys. */
export type AddItems = (
  client: Client,
  repo: DemoRepo,
  adding: { items: DemoItem[]; step: Progress['step']; signal: AbortSignal },
) => Promise<ReadonlyMap<string, number>>

export type LoadOptions = {
  setsDir: string
  showProgress: ShowProgress
  /** Stops before the next call that adds something. */
  signal: AbortSignal
}

/**
 * Creates a repository and adds those of its items that are not there, so that a load that was
 * interrupted goes on where it was.
 * @returns the ids of all its items by their keys
 */
export async function loadRepo(
  client: Client,
  repo: DemoRepo,
  loaded: LoadedIds,
  { addItems, setsDir, showProgress, signal }: LoadOptions & { addItems: AddItems },
): Promise<ReadonlyMap<string, number>> {
  await client.repoCreate({ body: await readDescription(repo.name) })
  const wanted = await repo.items(setsDir, loaded)
  const ids = await readKeys(client, repo)
  const items = wanted.filter(({ key }) => !ids.has(key))
  const { step, stop } = showProgress(repo.name, {
    total: wanted.length,
    done: wanted.length - items.length,
  })
  try {
    if (items.length === 0) return ids
    return new Map([...ids, ...(await addItems(client, repo, { items, step, signal }))])
  } finally {
    stop()
  }
}

/** The ids of the items that are there, by their keys. */
async function readKeys(
  client: Client,
  { name, keyField }: DemoRepo,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>()
  for await (const { id, data } of client.items(name)) {
    ids.set(plainText(data[keyField] ?? ''), id)
  }
  return ids
}

/** The description of a dataset of the demo, from the file of its name. */
export async function readDescription(name: string): Promise<unknown> {
  const file = new URL(`./descriptions/${name}.yaml`, import.meta.url)
  const parsed = parseDescription(await readFile(file, 'utf8'))
  if (!parsed.ok) throw new Error(`${file.href}: ${parsed.problems[0]?.reason}`)
  return parsed.value
}
