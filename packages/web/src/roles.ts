import { useQuery } from '@tanstack/react-query'
import { ApiError } from '@vitrine/client'
import { type DatasetRole, type Role, includesRole } from '@vitrine/contract'
import { useApp } from './app-context.tsx'

const everything: DatasetRole = { role: 'owner', owners: [] }

/**
 * The role of whoever is signed in on a dataset; undefined until it is known. A server without roles refuses nobody, and
 * one that does not say refuses by itself.
 */
export function useRole(datasetId: string): DatasetRole | undefined {
  const { queries, features } = useApp()
  const { data, isError } = useQuery(queries.datasetRole(datasetId))
  return features.includes('roles') && !isError ? data : everything
}

/** Returns a check of what whoever is signed in may do on a dataset: nothing, until it is known. */
export function useMay(datasetId: string): (needed: Role) => boolean {
  const role = useRole(datasetId)?.role
  return (needed) => role !== undefined && includesRole(role, needed)
}

/** Whether whoever is signed in may create datasets; undefined until it is known. */
export function useMayCreate(): boolean | undefined {
  const { queries, features } = useApp()
  const { data, isError } = useQuery(queries.whoAmI())
  if (!features.includes('roles') || isError) return true
  return data && data.mayCreate !== false
}

/** Advice on what is not there: a server with roles answers so, too, of what somebody may not read. */
export function useAbsenceHint(error: Error | null): string | undefined {
  const { features } = useApp()
  const isAbsent = error instanceof ApiError && error.status === 404
  return isAbsent && features.includes('roles') ? 'Or you may not read it.' : undefined
}
