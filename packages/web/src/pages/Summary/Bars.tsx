import type { CSSProperties, ReactNode } from 'react'
import { Link } from 'react-router'
import classes from './SummaryPage.module.css'

type Row = {
  text: string
  /** Shown in the place of the text. */
  content?: ReactNode
  count: number
  to: string | undefined
}

/** Values with their counts as bars, of which the greatest is as long as there is room. */
export function Bars({ label, rows }: { label: string; rows: readonly Row[] }) {
  const greatest = Math.max(1, ...rows.map(({ count }) => count))
  return (
    <table className={classes.bars} aria-label={label}>
      <tbody>
        {rows.map(({ text, content = shown(text), count, to }, index) => (
          <tr
            // Two values may have the same text.
            // oxlint-disable-next-line react/no-array-index-key
            key={`${index} ${text}`}
            style={{ '--share': count / greatest } as CSSProperties}
          >
            <th scope="row" title={text}>
              <bdi>{to === undefined ? content : <Link to={to}>{content}</Link>}</bdi>
            </th>
            <td className={classes.bar} aria-hidden>
              <span />
            </td>
            <td className={classes.count}>{count.toLocaleString()}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A link needs a text. */
function shown(text: string): string {
  return text.trim() === '' ? '(empty)' : text
}
