import { Json } from '../../ui/Json.tsx'
import type { ShownValue } from '../value.ts'

/** Shows a value as formatted JSON. */
export function ShowJson({ field, value }: ShownValue) {
  return <Json value={value} label={field.name} />
}
