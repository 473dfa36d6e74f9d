import { quote } from '@vitrine/contract'
import { counted } from './description-text.ts'
import type { WorkbookFacts } from './row-batch.ts'

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
