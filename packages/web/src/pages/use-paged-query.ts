import {
  keepPreviousData,
  useQuery,
  useQueryClient,
  type QueryKey,
  type UseQueryOptions,
} from '@tanstack/react-query'
import { limits } from '@vitrine/contract'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router'
import type { Loaded } from '../ui/Listing.tsx'
import { pageNumber } from '../ui/paging.ts'

const { pageSize } = limits

/**
 * The page of a list that the address names. The page before stays until it is there, and the one
 * after it is asked for ahead. `queryOf` must be the same function at every render.
 */
export function usePagedQuery<Row, Data, Key extends QueryKey>(
  queryOf: (page: number) => UseQueryOptions<Data, Error, Row[], Key>,
): Loaded<Row> {
  const queryClient = useQueryClient()
  const [search] = useSearchParams()
  const page = pageNumber(search)
  const { data, error, isPlaceholderData, refetch } = useQuery<Data, Error, Row[], Key>({
    ...queryOf(page),
    placeholderData: keepPreviousData,
  })

  const full = data?.length === pageSize && !isPlaceholderData
  useEffect(() => {
    if (full) void queryClient.prefetchQuery(queryOf(page + 1))
  }, [full, page, queryClient, queryOf])

  return {
    page,
    pageSize,
    rows: data,
    error,
    stale: isPlaceholderData,
    retry: () => void refetch(),
  }
}
