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

/** Values with their counts, each a bar as long as its share of `of`. */
export function Bars({ label, of, rows }: { label: string; of: number; rows: readonly Row[] }) {
  return (
    <table className={classes.bars} aria-label={label}>
      <tbody>
        {rows.map(({ text, content = shown(text), count, to }, index) => (
          <tr
            // Two values may have the same text.
            // oxlint-disable-next-line react/no-array-index-key
            key={`${index} ${text}`}
            style={{ '--share': count / of } as CSSProperties}
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
