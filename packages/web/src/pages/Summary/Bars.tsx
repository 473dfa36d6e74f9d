import type { CSSProperties } from 'react'
import { Link } from 'react-router'
import classes from './SummaryPage.module.css'

type Row = { text: string; count: number; to: string | undefined }

/** Values with their counts, each a bar as long as its share of `of`. */
export function Bars({ label, of, rows }: { label: string; of: number; rows: readonly Row[] }) {
  return (
    <table className={classes.bars} aria-label={label}>
      <tbody>
        {rows.map(({ text, count, to }) => (
          <tr key={`${text} ${count}`} style={{ '--share': count / of } as CSSProperties}>
            <th scope="row" title={text}>
              {to === undefined ? shown(text) : <Link to={to}>{shown(text)}</Link>}
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
