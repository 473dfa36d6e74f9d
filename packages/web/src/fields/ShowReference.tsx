import { valueBytes } from '@vitrine/contract'
import { Link } from 'react-router'
import { paths } from '../paths.ts'
import { Sealed } from './Sealed.tsx'
import type { ShownValue } from './value.ts'

export function ShowReference({ field, value, seal }: ShownValue) {
  const target = field.target ?? ''
  return (
    <>
      <p>
        <Link to={paths.item(target, value)}>
          {target} / {value}
        </Link>
      </p>
      <Sealed sha256={seal?.sha256} bytes={() => Promise.resolve(valueBytes(value))} />
    </>
  )
}
