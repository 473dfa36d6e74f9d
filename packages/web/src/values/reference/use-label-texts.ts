import { useQueries } from '@tanstack/react-query'
import { useApp } from '../../app-context.tsx'

/** The labels of items, as far as they are there. */
export function useLabelTexts(target: string | undefined, ids: readonly number[]) {
  const { queries } = useApp()
  return useQueries({
    queries: target === undefined ? [] : ids.map((id) => queries.datasetLabel(target, id)),
    combine: labelsOf,
  })
}

function labelsOf(found: readonly { data: string | null | undefined }[]) {
  return found.map(({ data }) => data ?? undefined)
}
