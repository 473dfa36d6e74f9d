import type { BundleContents } from '@vitrine/client'
import { datasetNamePattern, datasetNameReason } from '@vitrine/contract/names'
import { UsageError } from '../command.ts'

/** New names of the datasets of a bundle: `--as old=new` for one, `--prefix` before all others. */
export type Renaming = { as: readonly string[]; prefix: string }

/**
 * Finds the new name of each dataset of a bundle.
 * @throws UsageError where a name is none, or two would be the same
 */
export function newNames(
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
