import type { InferredColumn } from './infer-fields.ts'
import { counted, descriptionText, fieldLine, oneLine } from './description-text.ts'

/** Columns of a file, by all of its rows. */
export type Inferred = { rows: number; unreadable: number; columns: InferredColumn[] }

/**
 * Describes a repository that a file of rows fits, to be edited: what was found stands beside each field. Its name
 * is that of the file, unless another one is given.
 */
export function describeRows(
  fileName: string,
  { rows, unreadable, columns }: Inferred,
  name = stemOf(fileName),
): string {
  const lines = columns.map((column) => {
    const { field, leftOut } = column
    if (field === undefined) return `  # ${oneLine(column.column)} is left out: ${leftOut}`
    return `${fieldLine(field)} # ${found(column)}`
  })
  const refused = unreadable === 0 ? '' : `; ${counted(unreadable, 'row')} cannot be read`
  return descriptionText(name, `${counted(rows, 'row')} of ${fileName}${refused}`, lines)
}

function found({ column, field, longest, missing }: InferredColumn): string {
  const facts = [
    ...(field?.name === column ? [] : [`from ${oneLine(column)}`]),
    ...(field?.type === 'string' ? [`at most ${counted(longest, 'character')}`] : []),
    ...(missing > 0 ? [`absent in ${counted(missing, 'row')}`] : []),
  ]
  return facts.join(', ') || 'in every row'
}

function stemOf(fileName: string): string {
  return fileName.replace(/(?<=.)\.gz$/i, '').replace(/(?<=.)\.[^.]*$/, '')
}
