import { type Role, includesRole, refusedRole } from '@vitrine/contract'
import type { ReactNode } from 'react'
import { paths } from '../paths.ts'
import { useMayCreate, useRole } from '../roles.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FormSkeleton } from '../ui/FormSkeleton.tsx'

type Props = { datasetId: string; needed: Role; children: ReactNode }

/** Shows what takes a role to those who have it; others are told what is missing, and who can help. */
export function ForRole({ datasetId, needed, children }: Props) {
  const found = useRole(datasetId)
  if (found === undefined) return <FormSkeleton />
  if (includesRole(found.role, needed)) return children
  return (
    <Refusal reason={refusedRole({ needed, ...found })}>
      <ButtonLink to={paths.dataset(datasetId)}>Open {datasetId}</ButtonLink>
    </Refusal>
  )
}

/** Shows what creates datasets to those who may. */
export function ForCreators({ children }: { children: ReactNode }) {
  const mayCreate = useMayCreate()
  if (mayCreate === undefined) return <FormSkeleton />
  if (mayCreate) return children
  return (
    <Refusal reason={refusedRole({ needed: 'creator' })}>
      <ButtonLink to={paths.datasets()}>Show datasets</ButtonLink>
    </Refusal>
  )
}

function Refusal({ reason = '', children }: { reason: string | undefined; children: ReactNode }) {
  return (
    <EmptyState text={`You may not do this: ${reason}.`} warning>
      {children}
    </EmptyState>
  )
}
