import {
  type RepoDescription,
  type ViewDescription,
  baseOf,
  checkRepoDescription,
  checkViewDescription,
} from '@vitrine/contract'
import * as z from 'zod/mini'

/** Files of a bundle by their paths (docs/bundles.md). */
export type BundleArchive = {
  /** @throws Error where there is no such file, or it cannot be read */
  open: (path: string) => Promise<AsyncIterable<Uint8Array>>
}

/** A repository of a bundle: some of its items, or all of them, and its log. */
export type BundledRepo = {
  kind: 'repo'
  description: RepoDescription
  /** How many of its items are in the bundle. */
  items: number
  /** How many entries its log has. */
  size: number
  /** The signed note of the log. */
  checkpoint: string
}
export type BundledView = { kind: 'view'; description: ViewDescription }

export type BundleContents = {
  /** The dataset that was exported, as it was when its repository had `at` items. */
  dataset: string
  at: number
  /** The verifier key of the installation that it comes from. */
  key: string
  /** Each after those that it refers to. */
  datasets: (BundledRepo | BundledView)[]
}

/** A file is no bundle that can be read; the message says why, as the end of a sentence. */
export class UnreadableBundle extends Error {
  override name = 'UnreadableBundle'
}

const count = z.int().check(z.minimum(0))

const schema = z.object({
  version: z.literal(1),
  dataset: z.string(),
  at: count,
  key: z.string(),
  datasets: z.array(
    z.discriminatedUnion('kind', [
      z.object({
        kind: z.literal('repo'),
        description: z.unknown(),
        items: count,
        size: count,
        checkpoint: z.string(),
      }),
      z.object({ kind: z.literal('view'), description: z.unknown() }),
    ]),
  ),
})

/** The most bytes that are read as the contents of a bundle. */
const bytesMax = 64 * 1024 * 1024

/**
 * Reads what a bundle says is in it, and checks that all that its datasets refer to is there, in order.
 * @throws UnreadableBundle
 */
export async function readBundleContents(archive: BundleArchive): Promise<BundleContents> {
  const read = schema.safeParse(await readJson(archive))
  if (!read.success) throw new UnreadableBundle('its bundle.json is not as version 1 has it')
  const { dataset, at, key } = read.data
  const names = new Set<string>()
  const datasets = read.data.datasets.map((entry): BundledRepo | BundledView => {
    const checked =
      entry.kind === 'repo'
        ? checkRepoDescription(entry.description)
        : checkViewDescription(entry.description)
    if (!checked.ok) throw new UnreadableBundle('a description in its bundle.json makes no sense')
    const described = { ...entry, description: checked.value } as BundledRepo | BundledView
    const { name } = described.description
    const unknown = needsOf(described).find((need) => need !== name && !names.has(need))
    if (names.has(name) || unknown !== undefined) {
      throw new UnreadableBundle(
        `its bundle.json has ${names.has(name) ? `${name} twice` : `no ${unknown} before ${name}`}`,
      )
    }
    names.add(name)
    return described
  })
  if (!names.has(dataset)) throw new UnreadableBundle(`its bundle.json describes no ${dataset}`)
  return { dataset, at, key, datasets }
}

/** The datasets that one is on, or leads to by its own fields. */
export function needsOf(dataset: BundledRepo | BundledView): string[] {
  if (dataset.kind === 'view') return [baseOf(dataset.description).name]
  const { schema: fields } = dataset.description
  return fields.flatMap((field) => (field.type === 'reference' ? [field.target] : []))
}

/** Finds the repository that has the items of a dataset. */
export function bundledRepoOf(
  { datasets }: Pick<BundleContents, 'datasets'>,
  name: string,
): BundledRepo {
  const dataset = datasets.find(({ description }) => description.name === name)!
  return dataset.kind === 'repo'
    ? dataset
    : bundledRepoOf({ datasets }, baseOf(dataset.description).name)
}

async function readJson(archive: BundleArchive): Promise<unknown> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  let bytes = 0
  for await (const piece of await archive.open('bundle.json')) {
    bytes += piece.length
    if (bytes > bytesMax) throw new UnreadableBundle('its bundle.json is too long')
    text += decoder.decode(piece, { stream: true })
  }
  try {
    return JSON.parse(text)
  } catch {
    throw new UnreadableBundle('its bundle.json is no JSON')
  }
}

/** Reads the ids of the items of the view that a bundle is of, in its order. */
export async function* bundledMembers(archive: BundleArchive): AsyncGenerator<number> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of await archive.open('members')) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) yield Number(line)
  }
  if (rest !== '') throw new UnreadableBundle('its members are cut off')
}
