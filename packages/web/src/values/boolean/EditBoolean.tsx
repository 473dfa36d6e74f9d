import type { EditProps } from '../edit-props.ts'
import { EditChoice } from '../EditChoice.tsx'

/** A select rather than a checkbox: an untouched checkbox would enter `false`. */
export function EditBoolean(props: EditProps<string>) {
  return <EditChoice {...props} takes="true or false" choices={['true', 'false']} />
}
