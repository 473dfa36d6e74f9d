import { quote } from '@vitrine/contract'
import { typeOf } from '@vitrine/contract/values/index'
import type { InferredColumn, TypeDoubt } from './infer-fields.ts'
import type { Reading } from '../reading.ts'
import type { WorkbookFacts } from '../row-batch.ts'
import { counted, descriptionText, fieldLine, oneLine } from '../description-text.ts'

/** Columns of a file, by all of its rows. */
export type Inferred = {
  rows: number
  unreadable: number
  columns: InferredColumn[]
  /** Unit that the numbers of its rows count. */
  counts: 'line' | 'row'
  /** How text or a workbook is read. */
  reading?: Reading | undefined
  /** Facts about a workbook beside its rows. */
  workbook?: WorkbookFacts | undefined
}

/** Such as `199 of 200 are numbers; line 138: heavy`. */
export function doubtText({ type, fits, present, misfits }: TypeDoubt, counts: 'line' | 'row') {
  const [first] = misfits
  const others = present - fits - 1
  const more = others === 0 ? '' : `, and ${others.toLocaleString('en')} more`
  const share = `${fits.toLocaleString('en')} of ${present.toLocaleString('en')}`
  return `${share} are ${typeOf({ type }).inferred!.plural}; ${counts} ${first!.line.toLocaleString('en')}: ${oneLine(first!.text).trim()}${more}`
}

/**
 * Describes a repository that a file of rows fits, to be edited: what was found stands beside each field. Its name
 * is that of the file, unless another one is given.
 */
export function describeRows(
  fileName: string,
  { rows, unreadable, columns, counts, reading, workbook }: Inferred,
  name = stemOf(fileName),
): string {
  const lines = columns.map((column) => {
    const { field, leftOut } = column
    if (field === undefined) return `  # ${oneLine(column.column)} is left out: ${leftOut}`
    return `${fieldLine(field)} # ${factsOf(column, counts)}`
  })
  const refused = unreadable === 0 ? '' : `; ${counted(unreadable, 'row')} cannot be read`
  return descriptionText(
    name,
    `${counted(rows, 'row')} of ${fileName}${refused}${readingText(reading, counts)}`,
    [...(workbook === undefined ? [] : workbookNotes(workbook).map(commentLine)), ...lines],
  )
}

function commentLine(text: string): string {
  return `  # ${oneLine(text)}`
}

/** How a file is read other than its format says, as the end of a sentence. */
function readingText(
  { encoding, quote, escape, null: nullText, header, comment, skip = 0 }: Reading = {},
  counts: Inferred['counts'],
): string {
  return [
    ...(encoding === undefined ? [] : [`; text in ${encoding}`]),
    ...(quote === 'none' ? ['; quotes mean nothing'] : []),
    ...(escape === undefined ? [] : [`; ${escape} makes the quote after it text`]),
    ...(nullText === undefined ? [] : [`; ${nullText} is no value`]),
    ...(header === 'none' ? ['; the first line is a row'] : []),
    ...(comment === undefined ? [] : [`; lines that begin with ${comment} are comments`]),
    ...(skip === 0 ? [] : [`; ${counted(skip, counts)} before the names`]),
  ].join('')
}

function factsOf(
  { column, field, longest, missing, doubt }: InferredColumn,
  counts: Inferred['counts'],
): string {
  const facts = [
    ...(field?.name === column ? [] : [`from ${oneLine(column)}`]),
    ...(field?.type === 'string' ? [`at most ${counted(longest, 'character')}`] : []),
    ...(doubt === undefined ? [] : [doubtText(doubt, counts)]),
    ...(missing > 0 ? [`absent in ${counted(missing, 'row')}`] : []),
  ]
  return facts.join(', ') || 'in every row'
}

function stemOf(fileName: string): string {
  return fileName.replace(/(?<=.)\.gz$/i, '').replace(/(?<=.)\.[^.]*$/, '')
}

/** Says what somebody may have overlooked in a workbook, in whole sentences. */
export function workbookNotes({
  sheet,
  sheets,
  mergedAreas,
  hiddenRows,
  hiddenColumns,
}: WorkbookFacts): string[] {
  const hidden = [
    ...(hiddenRows === 0 ? [] : [counted(hiddenRows, 'hidden row')]),
    ...(hiddenColumns === 0 ? [] : [counted(hiddenColumns, 'hidden column')]),
  ]
  const others = sheets.filter((each) => each !== sheet)
  return [
    ...(others.length === 0
      ? []
      : [
          `The rows are those of the sheet ${quote(sheet)}. There ${others.length === 1 ? 'is' : 'are'} also ${listed(others)}.`,
        ]),
    ...(mergedAreas === 0
      ? []
      : [
          `The sheet has ${counted(mergedAreas, 'merged area')}: only the first cell of each has a value.`,
        ]),
    ...(hidden.length === 0
      ? []
      : [`The sheet has ${hidden.join(' and ')}, taken like the others.`]),
  ]
}

function listed(names: readonly string[]): string {
  const shown = names
    .slice(0, 5)
    .map((name) => quote(name))
    .join(', ')
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown
}
