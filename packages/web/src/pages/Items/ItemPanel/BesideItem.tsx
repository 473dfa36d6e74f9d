import { Suspense, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { rowOf, rowSteps } from '../../../ui/row-keys.ts'
import { useStepQueue } from '../../../ui/use-step-queue.ts'
import classes from './BesideItem.module.css'
import type { PanelItem } from './use-panel-item.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'

const ItemPanel = lazyPart(async () => (await import('./ItemPanel.tsx')).ItemPanel)

type Props = { datasetId: string; panel: PanelItem; children: ReactNode }

/** A table of items, and beside it the item that is shown; Space in a row shows its item. */
export function BesideItem({ datasetId, panel: { isOffered, id, show }, children }: Props) {
  const table = useRef<HTMLDivElement>(null)
  const beside = (step: number): string | undefined => {
    const rows = [...table.current!.querySelectorAll<HTMLElement>('tr[data-row]')]
    const place = rows.findIndex(({ dataset }) => dataset['row'] === id)
    return place === -1 ? rows[0]?.dataset['row'] : rows[place + step]?.dataset['row']
  }
  const { go, drop } = useStepQueue<number>({
    place: id ?? '',
    leads: (step) => beside(step) !== undefined,
    take: (step) => show(beside(step)),
  })
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event
    if (!isOffered || altKey || ctrlKey || metaKey || shiftKey) return
    const row = rowOf(target)
    if (row === undefined) return
    if (key === ' ' && target instanceof HTMLAnchorElement) {
      event.preventDefault()
      show(row)
    } else if (id !== undefined && Object.hasOwn(rowSteps, key)) {
      // The table has moved the focus to another row.
      const next = rowOf(document.activeElement)
      if (next !== undefined && next !== row) show(next)
    }
  }
  return (
    <div className={classes.beside} data-open={id !== undefined || undefined}>
      {/* The keys are those of the rows in it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div ref={table} className={classes.table} onKeyDown={onKeyDown}>
        {children}
      </div>
      {id !== undefined && (
        <div className={classes.panel}>
          <Suspense>
            <ItemPanel
              datasetId={datasetId}
              itemId={id}
              onStep={go}
              onClose={() => {
                drop()
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
