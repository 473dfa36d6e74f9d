import { useMutation } from '@tanstack/react-query'
import type { Exploration, Item } from '@vitrine/contract'
import { useApp } from '../../../app-context.tsx'
import type { Loaded } from '../../../ui/Listing.tsx'
import { hasNext } from '../../../ui/pager-rule.ts'

type Step = -1 | 1

type Options = {
  datasetId: string
  asked: Exploration | undefined
  loaded: Loaded<Item>
  /** The item whose neighbours are asked for. */
  itemId: number
  goTo: (id: number, page: number) => void
}

/** The way from an item to those before and after it, also those of the pages beside. */
export function useNeighbours({ datasetId, asked, loaded, itemId, goTo }: Options) {
  const { queries, queryClient } = useApp()
  const { page, pageSize, rows = [], stale } = loaded
  const place = rows.findIndex(({ id }) => id === itemId)
  const turn = useMutation({
    mutationFn: async (step: Step) => {
      const query = queries.datasetItemList(datasetId, page + step, asked)
      const { value } = await queryClient.fetchQuery(query)
      const next = value.at(step === 1 ? 0 : -1)
      if (next !== undefined) goTo(next.id, page + step)
      return { isEnd: next === undefined, page }
    },
  })
  const isEnd = turn.data?.isEnd === true && turn.data.page === page
  const can = (step: Step): boolean => {
    if (place === -1 || stale) return false
    if (rows[place + step] !== undefined) return true
    return step === -1 ? page > 0 : hasNext({ page, pageSize, entries: rows.length }) && !isEnd
  }
  const go = (step: Step) => {
    if (!can(step) || turn.isPending) return
    const beside = rows[place + step]
    if (beside === undefined) turn.mutate(step)
    else goTo(beside.id, page)
  }
  return { can, go, error: turn.error }
}
