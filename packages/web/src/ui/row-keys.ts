import type { KeyboardEvent } from 'react'

/** How many rows further a key leads. */
export const rowSteps: Readonly<Record<string, 1 | -1>> = { j: 1, k: -1, ArrowDown: 1, ArrowUp: -1 }
const cellSteps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 }

/**
 * Moves the focus from what has it in a row to what stands in the same column of the next one, or to what stands
 * beside it in its row.
 */
export function moveByKey(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event
  if (altKey || ctrlKey || metaKey || shiftKey || !(target instanceof HTMLElement)) return
  const [row, cell] = [target.closest('tr'), target.closest<HTMLTableCellElement>('td, th')]
  if (row === null || cell === null) return
  const next = Object.hasOwn(rowSteps, key)
    ? inColumn(sibling(row, rowSteps[key]!), cell, target)
    : Object.hasOwn(cellSteps, key)
      ? beside(row, target, cellSteps[key]!)
      : undefined
  if (next === undefined) return
  event.preventDefault()
  // Some buttons are there only while their row has the focus.
  next.closest('tr')?.querySelector<HTMLElement>('a[href]')?.focus({ preventScroll: true })
  next.focus()
  next.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

/** The key of the row that something is in. */
export function rowOf(target: EventTarget | null): string | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>('tr[data-row]') : null
  return row?.dataset['row']
}

function sibling(row: Element, step: number): Element | null {
  return step > 0 ? row.nextElementSibling : row.previousElementSibling
}

/**
 * Returns the element at the same place in a column, where each cell has its menu; the link of the row where there is
 * none.
 */
function inColumn(row: Element | null, from: HTMLTableCellElement, target: HTMLElement) {
  const cell = row?.children[from.cellIndex]
  if (cell === undefined) return undefined
  const [here, there] = [reached(from), reached(cell)]
  const place = there.length - (here.length - here.indexOf(target))
  return there[Math.max(0, place)] ?? reached(row!).at(-1)
}

function beside(row: Element, from: HTMLElement, step: number): HTMLElement | undefined {
  const all = reached(row)
  return all[all.indexOf(from) + step]
}

function reached(part: Element): HTMLElement[] {
  return [...part.querySelectorAll<HTMLElement>('a[href]:not([aria-hidden]), button')]
}
