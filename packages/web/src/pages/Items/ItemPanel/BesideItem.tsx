import type { Exploration } from '@vitrine/contract'
import {
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react'
import { useApp } from '../../../app-context.tsx'
import { isOnRow } from '../../../ui/RowLink.tsx'
import { rowOf, rowSteps } from '../../../ui/row-keys.ts'
import { opensElsewhere } from '../../../ui/use-step-queue.ts'
import { usePagedQuery } from '../../use-paged-query.ts'
import { itemsOf } from '../Items.tsx'
import { useNeighbours } from '../use-neighbours.ts'
import classes from './BesideItem.module.css'
import type { PanelItem } from './use-panel-item.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'

const ItemPanel = lazyPart(async () => (await import('./ItemPanel.tsx')).ItemPanel)

type Props = { datasetId: string; exploration: Exploration; panel: PanelItem; children: ReactNode }

/**
 * A table of items, and beside it the item that is shown: a click on a row or Space in it shows its item, and keys
 * lead on, also to the pages before and after.
 */
export function BesideItem({ datasetId, exploration, panel, children }: Props) {
  const { isOffered, id, show } = panel
  const { queries } = useApp()
  const table = useRef<HTMLDivElement>(null)
  const queryOf = useCallback(
    (page: number) => ({
      ...queries.datasetItemList(datasetId, page, exploration),
      select: itemsOf,
      enabled: isOffered,
    }),
    [queries, datasetId, exploration, isOffered],
  )
  const loaded = usePagedQuery(queryOf)
  const neighbours = useNeighbours({
    datasetId,
    exploration,
    loaded,
    itemId: Number(id),
    goTo: (next, page) => show(String(next), page),
  })
  const first = loaded.rows?.[0]?.id
  const isOnPage = loaded.rows?.some((row) => String(row.id) === id) ?? false
  const step = (by: 1 | -1) => {
    if (isOnPage || loaded.stale) neighbours.go(by)
    else if (first !== undefined) show(String(first))
  }
  const isFocusInTable = useRef(false)
  useLayoutEffect(() => {
    // The row that had the focus has gone with its page.
    if (!isOnPage || !isFocusInTable.current || document.activeElement !== document.body) return
    isFocusInTable.current = false
    rowLink(table.current!, id!).focus({ preventScroll: true })
  })
  useEffect(() => {
    if (isOnPage) rowLink(table.current!, id!).closest('tr')?.scrollIntoView({ block: 'nearest' })
  }, [id, isOnPage])

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event
    if (!isOffered || altKey || ctrlKey || metaKey || shiftKey) return
    const row = rowOf(target)
    if (row === undefined) return
    if (key === ' ' && target instanceof HTMLAnchorElement) {
      event.preventDefault()
      show(row)
    } else if (id !== undefined && Object.hasOwn(rowSteps, key)) {
      // The table has moved the focus to another row, unless it is at its end.
      const next = rowOf(document.activeElement)
      if (next === undefined || next !== row) {
        if (next !== undefined) show(next)
      } else if (row === id) {
        isFocusInTable.current = true
        step(rowSteps[key]!)
      }
    }
  }
  // Before the link itself leads to the item's page.
  const onClickCapture = (event: MouseEvent<HTMLDivElement>) => {
    const row = rowOf(event.target)
    if (!isOffered || row === undefined || opensElsewhere(event)) return
    if (!isOnRow(event.target as Element)) return
    event.preventDefault()
    show(row)
  }
  return (
    <div className={classes.beside} data-open={id !== undefined || undefined}>
      {/* The keys and clicks are those of the rows in it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events */}
      <div
        ref={table}
        className={classes.table}
        onKeyDown={onKeyDown}
        onClickCapture={onClickCapture}
      >
        {children}
      </div>
      {id !== undefined && (
        <div className={classes.panel}>
          <Suspense>
            <ItemPanel
              datasetId={datasetId}
              itemId={id}
              exploration={exploration}
              onStep={step}
              onClose={() => {
                neighbours.drop()
                show(undefined)
              }}
              focusRow={() => {
                // It has gone already where the whole screen is left.
                if (table.current !== null) rowLink(table.current, id).focus()
              }}
            />
          </Suspense>
        </div>
      )}
    </div>
  )
}

/** The link of an item's row, or the table where it has no such row. */
function rowLink(table: HTMLElement, id: string): HTMLElement {
  const links = table.querySelectorAll<HTMLElement>(`tr[data-row="${CSS.escape(id)}"] a[href]`)
  return [...links].at(-1) ?? table.querySelector<HTMLElement>('[role="region"]') ?? table
}
