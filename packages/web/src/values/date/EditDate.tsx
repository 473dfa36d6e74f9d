import type { EditProps } from '../edit-props.ts'
import { EditLine } from '../EditLine.tsx'

export function EditDate(props: EditProps<string>) {
  return <EditLine {...props} takes="a date" type="date" min="0001-01-01" max="9999-12-31" />
}
