import { baseOf } from '@vitrine/contract'
import type { Client } from '../call/client.ts'
import type { CallOptions } from '../call/send.ts'

type ItemsOfRepo = {
  /** The repository that has the items of a dataset. */
  repo: string
  /** The names of its fields. */
  fields: string[]
  /** Fields of a view that show a field of the repository unchanged, and which; undefined for the repository itself. */
  direct: Map<string, string> | undefined
}

/**
 * Finds the repository that has the items of a dataset: itself, or what its view is of in the end.
 * @throws ApiError
 */
export async function repoOfView(
  client: Client,
  datasetId: string,
  options: CallOptions = {},
): Promise<ItemsOfRepo> {
  let { view, schema } = await client.datasetGet({ datasetId }, options)
  let repo = datasetId
  let direct: Map<string, string> | undefined
  while (view !== undefined) {
    const shown = shownFields(
      schema.map(({ name }) => name),
      view,
    )
    direct =
      direct === undefined
        ? shown
        : new Map(
            [...direct].flatMap(([name, own]): [string, string][] => {
              const from = shown.get(own)
              return from === undefined ? [] : [[name, from]]
            }),
          )
    repo = baseOf(view).name
    ;({ view, schema } = await client.datasetGet({ datasetId: repo }, options))
  }
  const fields = schema.map(({ name }) => name)
  const own = direct && new Map([...direct].filter(([, from]) => fields.includes(from)))
  return { repo, fields, direct: own }
}

/** The fields of a view that show one of its base as it is: neither cast nor found along a reference. */
function shownFields(
  names: readonly string[],
  { fields }: Record<string, unknown>,
): Map<string, string> {
  if (!Array.isArray(fields)) return new Map(names.map((name) => [name, name]))
  const picked = fields as (string | { name: string; from: string; as?: string })[]
  const shown = new Map<string, string>()
  for (const field of picked) {
    const { name, from, as } =
      typeof field === 'string' ? { name: field, from: field, as: undefined } : field
    if (as === undefined && names.includes(name) && !from.includes('.')) shown.set(name, from)
  }
  return shown
}
