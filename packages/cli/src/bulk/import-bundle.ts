import {
  bundledLogKey,
  bundledItemsAt,
  bundledMembers,
  countBundledCorrections,
  bundledRepoOf,
  exportDataset,
  openReply,
  rowsOf,
  type BundleContents,
  type BundledRepo,
  type BundledView,
  type Client,
} from '@vitrine/client'
import { baseOf, type Feature, stateName } from '@vitrine/contract'
import { CommandError } from '../command/command.ts'
import { importBundledItems, type NewIds } from './import-bundled-items.ts'
import type { ZipArchive } from './zip-archive.ts'

export type ImportedDataset = {
  /** Name in the bundle. */
  from: string
  name: string
  kind: 'repo' | 'view'
  /** Number of items of a repository. */
  items?: number
  /** How many of them correct or withdraw others. */
  corrections?: number
  /** How many more did where they come from, and are items like any other here. */
  lostCorrections?: number
}

export type BundleImport = {
  contents: BundleContents
  /** The new name of each dataset. */
  names: ReadonlyMap<string, string>
  /** Features of the server. */
  features: readonly Feature[]
  /** Called with each dataset as soon as it is created, before it has items. */
  onCreated: (dataset: ImportedDataset) => void
  onItems: (dataset: string, items: number) => void
  signal: AbortSignal
}

/**
 * Makes the datasets of a bundle on a server, one after the other, with new ids for their items, and references to
 * these. Nothing is done where one of the names is taken.
 * @returns whether the view that the bundle is of, if it is one, shows the same items in the same order
 * @throws CommandError where a name is taken; ApiError
 */
export async function importBundle(
  client: Client,
  archive: ZipArchive,
  bundle: BundleImport,
): Promise<{ isSame: boolean }> {
  const { contents, names, features, onCreated, onItems, signal } = bundle
  await refuseTaken(client, [...names.values()], signal)
  const ids = new Map<string, NewIds>()
  const idsOf = (dataset: string): NewIds => {
    const { name } = bundledRepoOf(contents, dataset).description
    let newId = ids.get(name)
    if (newId === undefined) ids.set(name, (newId = new Map()))
    return newId
  }
  for (const dataset of contents.datasets) {
    signal.throwIfAborted()
    const { name: from } = dataset.description
    const name = names.get(from)!
    if (dataset.kind === 'view') {
      const body = await renamedView(archive, dataset, bundle)
      await create(client, 'viewCreate', { name, body, signal })
      onCreated({ from, name, kind: 'view' })
      continue
    }
    const body = renamedRepo(dataset, names)
    await create(client, 'repoCreate', { name, body, signal })
    const { inside, outside } = await countBundledCorrections(archive, from)
    const corrections = features.includes('import-corrections') ? inside : 0
    onCreated({
      from,
      name,
      kind: 'repo',
      items: dataset.items,
      corrections,
      lostCorrections: inside + outside - corrections,
    })
    await importBundledItems(client, archive, {
      dataset,
      name,
      idsOf,
      key: features.includes('origins') ? await bundledLogKey(contents.key, dataset) : undefined,
      isCorrecting: corrections > 0,
      onItems: (items) => onItems(name, items),
      signal,
    })
  }
  const own = bundledRepoOf(contents, contents.dataset)
  if (own.description.name === contents.dataset) return { isSame: true }
  return {
    isSame: await hasMembers(client, archive, {
      name: names.get(contents.dataset)!,
      ids: idsOf(contents.dataset),
      signal,
    }),
  }
}

async function refuseTaken(
  client: Client,
  names: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const taken: string[] = []
  for (const datasetId of names) {
    const existing = await client.datasetGet({ datasetId }, { signal }).catch((error: unknown) => {
      if ((error as { code?: string }).code === 'DATASET_NOT_FOUND') return undefined
      throw error
    })
    if (existing !== undefined) taken.push(datasetId)
  }
  if (taken.length > 0) throw takenNames(taken)
}

function takenNames(names: readonly string[]): CommandError {
  const what = `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} there already.`
  const [first] = names
  return new CommandError(
    `${what} Give other names by --as ${first}=NEW for one, or --prefix for all.`,
    { exitCode: 5 },
  )
}

/** @throws CommandError where somebody made a dataset of that name meanwhile */
async function create(
  client: Client,
  call: 'repoCreate' | 'viewCreate',
  { name, body, signal }: { name: string; body: object; signal: AbortSignal },
): Promise<void> {
  const reply = await openReply(client, call, { body }, { signal })
  await reply.body?.cancel()
  if (reply.status !== 201) throw takenNames([name])
}

function renamedRepo({ description }: BundledRepo, names: ReadonlyMap<string, string>): object {
  return {
    ...description,
    name: names.get(description.name),
    schema: description.schema.map((field) =>
      field.type === 'reference' ? { ...field, target: names.get(field.target) } : field,
    ),
  }
}

/** A state of its base has as many items as there are of it in the bundle. */
async function renamedView(
  archive: ZipArchive,
  { description }: BundledView,
  { contents, names }: BundleImport,
): Promise<object> {
  const base = baseOf(description)
  const repo = bundledRepoOf(contents, base.name).description.name
  const at = base.at === undefined ? undefined : await bundledItemsAt(archive, repo, base.at)
  return {
    ...description,
    name: names.get(description.name),
    base: stateName({ name: names.get(base.name)!, ...(at !== undefined && { at }) }),
  }
}

/** Whether a view has the items that its bundle lists, in that order. */
async function hasMembers(
  client: Client,
  archive: ZipArchive,
  { name, ids, signal }: { name: string; ids: NewIds; signal: AbortSignal },
): Promise<boolean> {
  const rows = rowsOf(exportDataset(client, name, { format: 'ndjson', signal }))
  for await (const id of bundledMembers(archive)) {
    const { value } = await rows.next()
    if (value?.['id'] !== ids.get(id)) {
      await rows.return(undefined)
      return false
    }
  }
  return (await rows.next()).done === true
}
