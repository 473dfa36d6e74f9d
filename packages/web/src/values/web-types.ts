import { type Feature, type FieldType, fieldTypes } from '@vitrine/contract'
import type { ComponentType } from 'react'
import { BinaryCell } from './binary/BinaryCell.tsx'
import { EditBinary } from './binary/EditBinary.tsx'
import { ShowBinary } from './binary/ShowBinary.tsx'
import { EditBoolean } from './EditChoice.tsx'
import { DateCell, EditDate, ShowDate } from './date.tsx'
import { DurationCell, EditDuration, ShowDuration } from './duration.tsx'
import type { EditProps } from './entry.ts'
import { EditJson, JsonCell, ShowJson } from './json.tsx'
import { EditInteger, EditNumber, NumberCell, ShowNumber } from './number.tsx'
import { EditReference } from './reference/EditReference.tsx'
import { ReferenceCell } from './reference/ReferenceCell.tsx'
import { ShowReference } from './reference/ShowReference.tsx'
import { ShowText } from './ShowText.tsx'
import { EditString } from './EditString.tsx'
import { TextCell } from './TextCell.tsx'
import { EditTimestamp, ShowTimestamp, TimestampCell } from './timestamp.tsx'
import { EditUrl, ShowUrl, UrlCell } from './url.tsx'
import type { CellValue, ShownValue } from './value.ts'

/** The components that edit and show values of a type. */
export type WebType = {
  /** A value on an item's page. */
  Show: ComponentType<ShownValue>
  /** A value in a table, on one line. */
  Cell: ComponentType<CellValue>
  isRightAligned?: boolean
} & (
  | { entered: 'text'; Edit: ComponentType<EditProps<string>> }
  | { entered: 'file'; Edit: ComponentType<EditProps<File> & { leftOut: number }> }
)

const numeric = {
  entered: 'text',
  Show: ShowNumber,
  Cell: NumberCell,
  isRightAligned: true,
} as const

/** Every value type. To add one, add an entry, and a folder if no existing component fits. */
const webTypes: Readonly<Record<FieldType, WebType>> = {
  string: { entered: 'text', Edit: EditString, Show: ShowText, Cell: TextCell },
  integer: { ...numeric, Edit: EditInteger },
  number: { ...numeric, Edit: EditNumber },
  boolean: { entered: 'text', Edit: EditBoolean, Show: ShowText, Cell: TextCell },
  date: { entered: 'text', Edit: EditDate, Show: ShowDate, Cell: DateCell },
  timestamp: { entered: 'text', Edit: EditTimestamp, Show: ShowTimestamp, Cell: TimestampCell },
  duration: {
    entered: 'text',
    Edit: EditDuration,
    Show: ShowDuration,
    Cell: DurationCell,
    isRightAligned: true,
  },
  url: { entered: 'text', Edit: EditUrl, Show: ShowUrl, Cell: UrlCell },
  json: { entered: 'text', Edit: EditJson, Show: ShowJson, Cell: JsonCell },
  reference: { entered: 'text', Edit: EditReference, Show: ShowReference, Cell: ReferenceCell },
  binary: { entered: 'file', Edit: EditBinary, Show: ShowBinary, Cell: BinaryCell },
}

/** The types that every server has. */
const specifiedTypes: readonly string[] = ['string', 'reference', 'binary']

/**
 * Returns the components for a type, or undefined if it is unknown. On a server that does not announce
 * `types`, a type with one of our names may mean something else.
 */
export function webTypeOf(type: string, features: readonly Feature[]): WebType | undefined {
  const types: readonly string[] = features.includes('types') ? fieldTypes : specifiedTypes
  return types.includes(type) ? webTypes[type as FieldType] : undefined
}
