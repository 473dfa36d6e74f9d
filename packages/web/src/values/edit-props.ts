import type { ShownField } from '@vitrine/contract'
import type { Entry } from './entry.ts'

/** Props of the input of a type. */
export type EditProps<E extends Entry> = {
  field: ShownField
  /** The id of the input. */
  id: string
  entry: E | undefined
  error: string | undefined
  /** `leftOut` is the number of dropped files that were not taken. */
  onChange: (entry: E | undefined, leftOut?: number) => void
  /** Called when the input starts or stops holding a part of a value. */
  onUnfinished: (isUnfinished: boolean) => void
}
