import type { ShownField } from '@vitrine/contract'
import type { Entry } from './entry.ts'

/** What the editor of one type of field is given. */
export type EditProps<E extends Entry> = {
  field: ShownField
  /** The id of the input. */
  id: string
  entry: E | undefined
  error: string | undefined
  /** `leftOut` says how many more there were where one fits. */
  onChange: (entry: E | undefined, leftOut?: number) => void
}
