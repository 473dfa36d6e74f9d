import { useQuery } from '@tanstack/react-query'
import type { DatasetGrowth, DatasetInfo } from '@vitrine/contract'
import type { ReactNode } from 'react'
import { useApp } from '../../app-context.tsx'
import { shownName } from '../../data/named-state.ts'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { Section } from '../../ui/Section.tsx'
import { TextSkeleton } from '../../ui/TextSkeleton.tsx'
import { Timestamp } from '../../ui/Time.tsx'
import classes from './Growth.module.css'

type Point = DatasetGrowth['points'][number]

const [width, height] = [100, 40]

/** How many items a dataset had, from when it was made until now. */
export function Growth({ info }: { info: DatasetInfo }) {
  const { queries } = useApp()
  const { data, error, refetch, dataUpdatedAt } = useQuery(queries.datasetGrowth(shownName(info)))
  return (
    <Section title="Growth">
      <figure className={classes.growth}>
        {error === null ? (
          <Plot info={info} growth={data?.value} askedAt={dataUpdatedAt} />
        ) : (
          <ErrorBox error={error} onRetry={() => void refetch()} />
        )}
      </figure>
    </Section>
  )
}

type PlotProps = {
  info: DatasetInfo
  growth: DatasetGrowth | undefined
  /** In milliseconds. */
  askedAt: number
}

function Plot({ info, growth, askedAt }: PlotProps) {
  if (growth === undefined) return <Frame caption={<TextSkeleton width={40} />} />
  const { points } = growth
  const last = points.at(-1)
  if (last === undefined) return <Frame caption={noPoints(info)} />
  const caption = (
    <>
      {last.items.toLocaleString()} {last.items === 1 ? 'item' : 'items'}, the last added{' '}
      <Timestamp iso={last.at} />
    </>
  )
  // A server's clock may be ahead.
  const now = new Date(Math.max(askedAt, Date.parse(last.at))).toISOString()
  return (
    <Frame caption={caption}>
      <path className={classes.area} d={areaOf(points, info.createdAt, now)} />
    </Frame>
  )
}

function noPoints({ view }: DatasetInfo): string {
  return view === undefined
    ? 'No items yet.'
    : 'Nothing to show: the view has no items yet, or filters or cuts off what is sorted.'
}

/** Frame of the plot, as high without a plot as with one. */
function Frame({ caption, children }: { caption: ReactNode; children?: ReactNode }) {
  return (
    <>
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden>
        {children}
      </svg>
      <figcaption>{caption}</figcaption>
    </>
  )
}

/** The outline of what is below the line: level from one point to the next, and on to the end. */
function areaOf(points: readonly Point[], from: string, to: string): string {
  const [start, end] = [Date.parse(from), Date.parse(to)]
  const most = points.at(-1)!.items
  const x = (iso: string) => {
    const share = (Date.parse(iso) - start) / Math.max(1, end - start)
    return (Math.min(1, Math.max(0, share)) * width).toFixed(2)
  }
  const y = (items: number) => (height - (items / most) * (height - 1)).toFixed(2)
  const steps = points.map(({ items, at }) => `H ${x(at)} V ${y(items)}`)
  return `M 0 ${height} ${steps.join(' ')} H ${width} V ${height} Z`
}
