import { useMutation } from '@tanstack/react-query'
import type { Exploration, Item } from '@vitrine/contract'
import { useApp } from '../../app-context.tsx'
import type { Loaded } from '../../ui/Listing.tsx'
import { hasNext } from '../../ui/paging.ts'
import { useStepQueue, type StepQueue } from '../../ui/use-step-queue.ts'

type Step = -1 | 1

type Options = {
  datasetId: string
  exploration: Exploration | undefined
  loaded: Loaded<Item>
  /** The item whose neighbours are asked for. */
  itemId: number
  goTo: (id: number, page: number) => void
}

/** The way from an item to those before and after it, also those of the pages beside. */
export function useNeighbours({ datasetId, exploration, loaded, itemId, goTo }: Options) {
  const { queries, queryClient } = useApp()
  const { page, pageSize, rows = [], stale } = loaded
  const isLoading = stale || (loaded.rows === undefined && loaded.error === null)
  const place = rows.findIndex(({ id }) => id === itemId)
  const turn = useMutation({
    mutationFn: async (step: Step) => {
      const query = queries.datasetItemList(datasetId, page + step, exploration)
      const { value } = await queryClient.fetchQuery(query)
      return { next: value.at(step === 1 ? 0 : -1), page }
    },
  })
  const isEnd = turn.data !== undefined && turn.data.next === undefined && turn.data.page === page
  const can = (step: Step): boolean => {
    if (place === -1 || isLoading) return false
    if (rows[place + step] !== undefined) return true
    return step === -1 ? page > 0 : hasNext({ page, pageSize, entries: rows.length }) && !isEnd
  }
  const steps = useStepQueue<Step>({
    place: String(itemId),
    leads: (step) => (isLoading ? undefined : can(step)),
    take: (step, queue) => {
      const beside = rows[place + step]
      if (beside !== undefined) {
        goTo(beside.id, page)
        return
      }
      void turnPage(step, queue)
    },
  })
  // Awaited rather than called back: callbacks of a mutation are lost where it ends before the effects of the first
  // render have run, as of a key that is pressed at once and a page that is known.
  const turnPage = async (step: Step, queue: StepQueue<Step>) => {
    try {
      const { next } = await turn.mutateAsync(step)
      // Closed meanwhile.
      if (!queue.isTaking) return
      if (next === undefined) queue.end()
      else goTo(next.id, page + step)
    } catch {
      queue.drop()
    }
  }
  const drop = () => {
    steps.drop()
    turn.reset()
  }
  return { can, go: steps.go, drop, error: turn.error }
}
