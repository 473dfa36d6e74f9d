import type { FoundItem } from '@vitrine/contract'
import { paths } from '../paths.ts'

/** Returns the label of a found item, its facts that tell it from others, and its path. */
export function foundItemEntry({ dataset, id, label, match, about }: FoundItem) {
  const isLabel = label === undefined || label === match.text
  const facts = [
    dataset,
    ...(isLabel ? [] : [`${match.field}: ${match.text}`]),
    ...about.map((value) => (typeof value === 'number' ? value.toLocaleString() : String(value))),
  ]
  return { label: label ?? match.text, about: facts.join(' · '), to: paths.item(dataset, id) }
}
