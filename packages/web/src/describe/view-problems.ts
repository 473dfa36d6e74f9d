import {
  checkView,
  checkViewDescription,
  unknownName,
  withSchemas,
  type Problem,
} from '@vitrine/contract'
import { schemaLookup } from './suggest/schema-lookup.ts'
import type { DatasetLookup } from './suggest/suggest.ts'
import { dataAt } from './suggest/yaml-place.ts'

/**
 * The description of a view under a name that no base has, so that a name which is still to come hides
 * nothing that can be said of the rest.
 */
export function withoutName(description: unknown): unknown {
  if (typeof description !== 'object' || description === null) return description
  const base = dataAt(description, ['base'])
  return { ...description, name: `not-${typeof base === 'string' ? base.slice(0, 100) : ''}` }
}

/** Checks a view, its name aside, against the schemas of the datasets that it names. */
export async function viewProblems(
  description: unknown,
  lookup: DatasetLookup,
): Promise<Problem[]> {
  const view = withoutName(description)
  const byItself = checkViewDescription(view)
  const problems = byItself.ok ? [] : byItself.problems
  const base = dataAt(view, ['base'])
  if (typeof base !== 'string' || problems.some(({ path }) => path[0] === 'base')) return problems
  if ((await lookup.info(base)) === undefined) {
    return [unknownName(['base'], 'dataset', base, await lookup.names()), ...problems]
  }
  let isComplete = true
  const find = schemaLookup(lookup)
  const onBase = await withSchemas(
    (resolve) => checkView(view, resolve),
    async (dataset) => {
      const schema = await find(dataset)
      isComplete &&= schema !== undefined
      return schema
    },
  )
  if (!isComplete) return problems
  return onBase.ok ? [] : onBase.problems
}
