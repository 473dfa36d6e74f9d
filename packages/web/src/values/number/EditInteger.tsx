import type { EditProps } from '../edit-props.ts'
import { EditLine } from '../EditLine.tsx'

export function EditInteger(props: EditProps<string>) {
  return <EditLine {...props} takes="a whole number" />
}
