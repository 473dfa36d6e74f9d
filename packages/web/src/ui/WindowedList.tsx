import { useState, type ReactNode } from 'react'
import classes from './WindowedList.module.css'

type Props = {
  label: string
  count: number
  /** In pixels, the same for each. */
  rowHeight: number
  /** How many rows are in view at once. */
  rowsInView: number
  rowKey: (index: number) => string | number
  children: (index: number) => ReactNode
}

/** Rows beyond the window on either side, so that scrolling does not show their absence. */
const margin = 6

/** Makes a scrolling element focusable, so that the keyboard can scroll it. */
const scrollable = { tabIndex: 0 }

/** A list of any length, of which only what is in view is in the page. */
export function WindowedList(props: Props) {
  const { label, count, rowHeight, rowsInView, rowKey, children } = props
  const [top, setTop] = useState(0)
  const height = Math.min(count, rowsInView) * rowHeight
  const first = Math.max(0, Math.min(Math.floor(top / rowHeight), count - rowsInView) - margin)
  const last = Math.min(count, first + rowsInView + 2 * margin)
  return (
    <section
      aria-label={label}
      {...scrollable}
      className={classes.frame}
      style={{ height }}
      onScroll={({ currentTarget }) => setTop(currentTarget.scrollTop)}
    >
      <ul className={classes.list} style={{ height: count * rowHeight }}>
        {Array.from({ length: last - first }, (_, offset) => first + offset).map((index) => (
          <li
            key={rowKey(index)}
            className={classes.entry}
            style={{ height: rowHeight, top: index * rowHeight }}
            aria-setsize={count}
            aria-posinset={index + 1}
          >
            {children(index)}
          </li>
        ))}
      </ul>
    </section>
  )
}
