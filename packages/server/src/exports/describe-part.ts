import { isPart, type DatasetInfo, type Exploration } from '@vitrine/contract'

/** Says of a dataset which part of it this is, and in what order, behind its own description. */
export function describePart(
  { name, description }: Pick<DatasetInfo, 'name' | 'description'>,
  exploration: Exploration,
): string | undefined {
  const { where, q, order } = exploration
  const clauses = [
    ...(where === undefined ? [] : [`where=${JSON.stringify(where)}`]),
    ...(q === undefined ? [] : [`q=${JSON.stringify(q)}`]),
  ].join(' and ')
  const sentences = [
    ...(description === undefined ? [] : [description]),
    ...(isPart(exploration) ? [`This is a part of ${name}: the items with ${clauses}.`] : []),
    ...(order === undefined ? [] : [`Their order is ${order.join(', ')}.`]),
  ]
  return sentences.length === 0 ? undefined : sentences.join(' ')
}
