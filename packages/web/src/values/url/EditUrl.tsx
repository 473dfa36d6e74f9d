import type { EditProps } from '../edit-props.ts'
import { EditLine } from '../EditLine.tsx'

export function EditUrl(props: EditProps<string>) {
  return <EditLine {...props} takes="a web address" placeholder="https://example.org/" />
}
