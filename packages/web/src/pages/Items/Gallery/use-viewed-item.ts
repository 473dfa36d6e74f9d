import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { pageNumber, pageSearch } from '../../../ui/paging.ts'

type Opened = { openedAt?: number } | null

/** Reads the item that is viewed large: `show` in the address. */
export function useViewedItem() {
  const [search, setSearch] = useSearchParams()
  const { state } = useLocation()
  const navigate = useNavigate()
  const page = pageNumber(search)
  const text = search.get('show') ?? ''
  const put = (
    id: number | undefined,
    page: number,
    entry: { replace?: boolean; state?: unknown },
  ) =>
    setSearch(
      (now) => {
        const changed = new URLSearchParams(pageSearch(String(now), page))
        if (id === undefined) changed.delete('show')
        else changed.set('show', String(id))
        return changed
      },
      { preventScrollReset: true, ...entry },
    )
  return {
    viewed: /^[1-9]\d{0,15}$/.test(text) ? Number(text) : undefined,
    open: (id: number) => put(id, page, { state: { openedAt: page } satisfies Opened }),
    /** Another item, in the place of the one that is viewed: Back still closes. */
    goTo: (id: number, page: number) => put(id, page, { replace: true, state }),
    /** Goes back where it was opened; on another page, or where a link has led here, that one stays. */
    close: () => {
      if ((state as Opened)?.openedAt === page) void navigate(-1)
      else put(undefined, page, { replace: true })
    },
  }
}
