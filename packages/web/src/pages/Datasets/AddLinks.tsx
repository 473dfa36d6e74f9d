import { IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { paths } from '../../paths.ts'
import { useMayCreate } from '../../roles.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { CellLink } from '../../ui/RowLink.tsx'

/** Leads to where an item is added: whoever may create datasets may add to all of them. */
export function AddItemLink({ name }: { name: string }) {
  if (useMayCreate() !== true) return null
  return (
    <>
      {' '}
      <CellLink to={paths.addItem(name)}>add item</CellLink>
    </>
  )
}

/** Leads to where a dataset is created. */
export function AddLink({ to, children }: { to: string; children: ReactNode }) {
  return useMayCreate() === true ? <ButtonLink to={to}>{children}</ButtonLink> : null
}

/** Leads from a list to where another one is created. */
export function AddAction({ to }: { to: string }) {
  if (useMayCreate() !== true) return null
  return (
    <ButtonLink to={to} leftSection={<IconPlus size={16} aria-hidden />}>
      Add
    </ButtonLink>
  )
}
