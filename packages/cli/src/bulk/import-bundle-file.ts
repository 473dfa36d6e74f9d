import {
  type BundleContents,
  type Client,
  deleteDataset,
  readBundleContents,
} from '@vitrine/client'
import type { Feature } from '@vitrine/contract'
import { datasetNamePattern, datasetNameReason } from '@vitrine/contract/repo/names'
import { CommandError, UsageError } from '../command/command.ts'
import { counted, visible } from '../command/table.ts'
import { untilInterrupted } from '../command/interruption.ts'
import type { Io } from '../command/io.ts'
import { showTransfer } from '../command/progress.ts'
import { type ImportedDataset, importBundle } from './import-bundle.ts'
import { type Damage, damageText } from './verified.ts'
import { verifyBundleFile } from './verify-bundle-file.ts'
import type { ZipArchive } from './zip-archive.ts'

/** Damages of a bundle that are shown. */
const shownMax = 10

export type BundleFileImport = Renaming & {
  io: Io
  /** The verifier key by which the bundle has to be signed; otherwise it is its own. */
  key?: string | undefined
  /** Features of the server. */
  features: readonly Feature[]
  json: boolean
}

/**
 * Verifies a bundle, and makes all of it on a server. Where that fails, what was made of it is deleted again, or told.
 * @throws CommandError where it is damaged, or one of its names is taken; ApiError
 */
export async function importBundleFile(
  client: Client,
  { file, archive }: { file: string; archive: ZipArchive },
  { io, key, json, features, ...renaming }: BundleFileImport,
): Promise<void> {
  const contents = await readBundleContents(archive)
  const names = newNames(contents, renaming)
  const made: ImportedDataset[] = []
  const { bundle, isSame } = await untilInterrupted(
    io,
    'Nothing is left of what was imported, unless it is named above.',
    async (signal) => {
      const damages: Damage[] = []
      const options = { io, signal, key, onDamage: (each: Damage) => damages.push(each) }
      const { bundle } = await verifyBundleFile(file, archive, options)
      if (damages.length > 0) throw damaged(file, damages)
      const progress = showTransfer(io, file)
      try {
        const { isSame } = await importBundle(client, archive, {
          contents,
          names,
          features,
          onCreated: (dataset) => made.push(dataset),
          onItems: (name, items) => progress.note(`${name}: ${counted(items, 'item')}`),
          signal,
        })
        return { bundle, isSame }
      } catch (error) {
        await removeAgain(client, made, io)
        throw error
      } finally {
        progress.stop()
      }
    },
  )
  const name = names.get(contents.dataset)!
  if (json) {
    io.console.log(JSON.stringify({ name, isSame, bundle, datasets: made }))
    return
  }
  for (const each of made) {
    const as = each.from === each.name ? '' : ` from ${each.from}`
    const items = each.kind === 'view' ? '' : ` with ${itemsText(each)}`
    const kind = each.kind === 'view' ? 'view' : 'repository'
    io.console.log(visible(`Made the ${kind} ${each.name}${as}${items}.`))
    if (each.lostCorrections) io.console.error(visible(lostText(each, features)))
  }
  io.console.log(visible(`All of it is verified, and signed by ${bundle!.key}.`))
  if (isSame) return
  io.console.log(
    visible(
      `${name} shows other items here than in the bundle, or in another order: it depends on ids or moments, which are others here.`,
    ),
  )
}

function itemsText({ items = 0, corrections = 0 }: ImportedDataset): string {
  const all = counted(items, 'item')
  return corrections === 0 ? all : `${all}, of which ${correcting(corrections)}`
}

/** Warning about corrections that are not made again. */
function lostText(
  { name, from, lostCorrections = 0 }: ImportedDataset,
  features: readonly Feature[],
): string {
  const why = features.includes('import-corrections')
    ? 'which the bundle does not have'
    : 'and the server does not import corrections'
  const are =
    lostCorrections === 1 ? 'it is an item like any other' : 'they are items like any other'
  return `In ${from} ${correcting(lostCorrections)}, ${why}. In ${name} ${are}.`
}

function correcting(count: number): string {
  return count === 1 ? '1 corrects or withdraws another' : `${count} correct or withdraw others`
}

function damaged(file: string, damages: readonly Damage[]): CommandError {
  const lines = damages.slice(0, shownMax).map((each) => visible(damageText(each)))
  const rest = damages.length > shownMax ? [`and ${damages.length - shownMax} more`] : []
  const what = `${file} is damaged, or was altered. Nothing was imported.`
  return new CommandError([what, ...lines, ...rest].join('\n'), { exitCode: 8 })
}

/** Deletes what was made, the last first, and names what cannot be. */
async function removeAgain(
  client: Client,
  made: readonly ImportedDataset[],
  io: Io,
): Promise<void> {
  const left: string[] = []
  for (const { name, kind } of made.toReversed()) {
    const info = { name, ...(kind === 'view' ? { view: { base: '' } } : { repo: {} }) }
    await deleteDataset(client, info).catch(() => left.push(name))
  }
  if (made.length === 0) return
  io.console.error(
    visible(
      left.length === 0
        ? 'What was made of the bundle is deleted again.'
        : `These are left, and not whole: ${left.join(', ')}. Delete them by "vitrine rm", in this order.`,
    ),
  )
}

/** New names of the datasets of a bundle: `--as old=new` for one, `--prefix` before all others. */
export type Renaming = { as: readonly string[]; prefix: string }

/**
 * Finds the new name of each dataset of a bundle.
 * @throws UsageError where a name is none, or two would be the same
 */
function newNames(
  { datasets }: Pick<BundleContents, 'datasets'>,
  { as, prefix }: Renaming,
): Map<string, string> {
  const olds = datasets.map(({ description }) => description.name)
  const renamed = new Map(
    as.map((text): [string, string] => {
      const [old = '', name = '', ...more] = text.split('=')
      if (more.length > 0 || name === '') throw new UsageError('--as takes old=new.')
      if (!olds.includes(old)) {
        throw new UsageError(`The bundle has no ${old}. It has ${olds.join(', ')}.`)
      }
      return [old, name]
    }),
  )
  const names = new Map(olds.map((old) => [old, renamed.get(old) ?? `${prefix}${old}`]))
  for (const name of names.values()) {
    if (!datasetNamePattern.test(name)) {
      throw new UsageError(`${name} cannot be a name: one ${datasetNameReason}.`)
    }
  }
  if (new Set(names.values()).size < names.size) {
    throw new UsageError('Two datasets would have the same name.')
  }
  return names
}
