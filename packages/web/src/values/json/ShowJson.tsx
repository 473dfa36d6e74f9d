import { canonicalJson } from '@vitrine/contract'
import { Json } from '../../ui/Json.tsx'
import { Sealed } from '../Sealed.tsx'
import type { ShownValue } from '../value.ts'

/** Shows a value as formatted JSON. The digest is of its canonical text (RFC 8785). */
export function ShowJson({ field, value, seal }: ShownValue) {
  const bytes = () => Promise.resolve(new TextEncoder().encode(canonicalJson(value)))
  return (
    <>
      <Json value={value} label={field.name} />
      <Sealed sha256={seal?.sha256} bytes={bytes} />
    </>
  )
}
