import type { EditProps } from '../edit-props.ts'
import { EditLine } from '../EditLine.tsx'

export function EditNumber(props: EditProps<string>) {
  return <EditLine {...props} takes="a number" />
}
