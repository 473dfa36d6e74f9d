import { isPart, type DatasetInfo, type Exploration } from '@vitrine/contract'

/** Says of a dataset which part of it this is, and in what order, behind its own description. */
export function describePart(
  { name, description }: Pick<DatasetInfo, 'name' | 'description'>,
  asked: Exploration,
): string | undefined {
  const { where, q, order } = asked
  const clauses = [
    ...(where === undefined ? [] : [`where=${JSON.stringify(where)}`]),
    ...(q === undefined ? [] : [`q=${JSON.stringify(q)}`]),
  ].join(' and ')
  const sentences = [
    ...(description === undefined ? [] : [description]),
    ...(isPart(asked) ? [`This is a part of ${name}: the items with ${clauses}.`] : []),
    ...(order === undefined ? [] : [`Their order is ${order.join(', ')}.`]),
  ]
  return sentences.length === 0 ? undefined : sentences.join(' ')
}
