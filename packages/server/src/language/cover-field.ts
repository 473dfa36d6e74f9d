import { metadataFields } from '@vitrine/contract'
import type { Definitions } from './definitions.ts'

/**
 * The field of a dataset with the picture of an item: the one that the description of its repository names,
 * whatever a view calls it, or else its first field of an image type.
 */
export function coverField(name: string, definitions: Definitions): string | undefined {
  const definition = definitions.get(name)
  const first = definition.schema.find(metadataFields.cover)?.name
  if (definition.kind === 'repo') return definition.cover ?? first
  const { base, fields } = definition.view
  const ofBase = coverField(base.name, definitions)
  const shown = fields.find(
    ({ path }) => path.steps.length === 0 && path.field.name === ofBase && ofBase !== undefined,
  )
  return shown?.field.name ?? first
}
