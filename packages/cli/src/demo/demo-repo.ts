import type { NewValue } from '@vitrine/client'

/** Ids of the items of the repositories loaded so far: repository, then key, then id. */
export type LoadedIds = ReadonlyMap<string, ReadonlyMap<string, number>>

/** An item to load. Its values are read when its turn comes, so that pictures do not pile up. */
export type DemoItem = {
  key: string
  values: () => Record<string, NewValue> | Promise<Record<string, NewValue>>
}

/** A repository of the demo and where its items come from. */
export type DemoRepo = {
  /** Its name, which is also the name of its description's file. */
  name: string
  /** The field that tells its items apart: what is there already is not added again. */
  keyField: string
  /** Inserts that run at once where each item is added by itself; 1 keeps the items in order. */
  inFlight: number
  /** The items, given the folder that the published sets are installed in. */
  items: (setsDir: string, loaded: LoadedIds) => Promise<DemoItem[]>
}

/** The id of an item that was loaded before, for a reference to it. */
export function idOf(loaded: LoadedIds, repo: string, key: string): number {
  const id = loaded.get(repo)?.get(key)
  if (id === undefined) throw new Error(`${repo} has no item ${key}`)
  return id
}

/** Leaves out what a source does not say, as an optional field is absent rather than empty. */
export function present(values: Record<string, NewValue | undefined>): Record<string, NewValue> {
  return Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, NewValue] => entry[1] !== undefined && entry[1] !== '',
    ),
  )
}
