import type { Comparison } from '@vitrine/contract'
import { Link } from 'react-router'
import { binText, boundsOf, boundText, type Bin } from '../../explore/bins.ts'
import { Details } from '../../ui/Details.tsx'
import { Bars } from './Bars.tsx'
import classes from './SummaryPage.module.css'

type Props = {
  label: string
  bins: readonly Bin[]
  /** The items within these bounds. */
  linkOf: (bounds: Comparison) => string | undefined
}

const [width, height] = [100, 40]

/** Bins side by side; below them the same as a list, which is for the keyboard. */
export function Histogram({ label, bins, linkOf }: Props) {
  const rows = bins.map((bin) => ({ ...bin, text: binText(bin), to: linkOf(boundsOf(bin)) }))
  const most = Math.max(1, ...bins.map(({ count }) => count))
  const step = width / bins.length
  return (
    <figure className={classes.histogram}>
      <figcaption>{label}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
        {rows.map(({ text, count, to = '' }, index) => (
          <Link key={text} to={to} tabIndex={-1}>
            <title>{`${text}: ${count.toLocaleString()}`}</title>
            <rect className={classes.place} x={index * step} width={step} height={height} />
            <rect
              className={classes.column}
              x={index * step}
              width={step * 0.9}
              // What there is a little of is seen as well.
              y={height - (count === 0 ? 0 : Math.max(0.7, (count / most) * height))}
              height={count === 0 ? 0 : Math.max(0.7, (count / most) * height)}
            />
          </Link>
        ))}
      </svg>
      <div className={classes.ends} aria-hidden>
        <span>{boundText(bins[0]?.from)}</span>
        <span>{boundText(bins.at(-1)?.to)}</span>
      </div>
      <Details summary="As a list">
        <Bars label={label} rows={rows.filter(({ count }) => count > 0)} />
      </Details>
    </figure>
  )
}
