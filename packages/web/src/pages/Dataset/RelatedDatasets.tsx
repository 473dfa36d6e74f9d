import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { baseOf, limits, type DatasetInfo } from '@vitrine/contract'
import { useState, type CSSProperties } from 'react'
import { Link } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { Section } from '../../ui/Section.tsx'
import classes from './RelatedDatasets.module.css'

/** Datasets shown on a side at first. */
const shownAtFirst = 8

type Neighbour = { name: string; relation: string | undefined }

/** Sources of a dataset on one side, its uses on the other, with lines between. */
export function RelatedDatasets({ info }: { info: DatasetInfo }) {
  const sources = others(info, info.referencesTo)
  const uses = others(info, info.referencedBy)
  const relationOf = useRelations(info, uses.length > 0)
  if (sources.length + uses.length === 0) return null
  return (
    <Section title="Related datasets">
      <div className={classes.graph}>
        <Side
          label="Comes from"
          none="nothing else"
          neighbours={sources.map((name) => ({ name, relation: sourceRelation(info, name) }))}
        />
        <p className={classes.self} title={info.name}>
          {info.name}
        </p>
        <Side
          label="Used by"
          none="nothing yet"
          end
          neighbours={uses.map((name) => ({ name, relation: relationOf(name) }))}
        />
      </div>
    </Section>
  )
}

/** A dataset may refer to itself. */
function others(info: DatasetInfo, names: readonly string[]): string[] {
  return names.filter((name) => name !== info.name)
}

/** Returns the kind of a source: the base of a view, or the target of some of the fields. */
function sourceRelation({ view, schema }: DatasetInfo, name: string): string | undefined {
  const fields = schema.filter(({ target }) => target === name).map((field) => field.name)
  const all = [...(view !== undefined && baseOf(view).name === name ? ['base'] : []), ...fields]
  return all.length > 0 ? all.join(', ') : undefined
}

/** Tells the views on a dataset from what refers to it; undefined where it is not known. */
function useRelations({ name }: DatasetInfo, enabled: boolean) {
  const { queries } = useApp()
  const { data: views } = useQuery({ ...queries.firstViews(), enabled })
  return (other: string): string | undefined => {
    if (views?.some((view) => view.name === other && view.base === name) === true) return 'view'
    // Of so many views there may be more.
    if (views === undefined || views.length === limits.pageSizeMax) return undefined
    return 'reference'
  }
}

type SideProps = {
  label: string
  none: string
  neighbours: readonly Neighbour[]
  /** Whether it stands at the end of the line. */
  end?: boolean
}

function Side({ label, none, neighbours, end = false }: SideProps) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? neighbours : neighbours.slice(0, shownAtFirst)
  const isCut = shown.length < neighbours.length
  const rows = Math.max(1, shown.length + (isCut ? 1 : 0))
  return (
    <div
      className={classes.side}
      data-end={end || undefined}
      style={{ '--rows': rows } as CSSProperties}
    >
      <h3 className={classes.label}>{label}</h3>
      {neighbours.length === 0 ? (
        <p className={classes.none}>{none}</p>
      ) : (
        <>
          <ul className={classes.names} aria-label={label}>
            {shown.map((neighbour) => (
              <li key={neighbour.name} className={classes.neighbour}>
                <Link to={paths.dataset(neighbour.name)} title={neighbour.name}>
                  {neighbour.name}
                </Link>
                {neighbour.relation !== undefined && (
                  <span className={classes.relation} title={neighbour.relation}>
                    {neighbour.relation}
                  </span>
                )}
              </li>
            ))}
          </ul>
          {isCut && (
            <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
              Show all {neighbours.length}
            </Button>
          )}
          <Lines from={shown.length} rows={rows} end={end} />
        </>
      )}
    </div>
  )
}

/** A line from the middle of each row to the middle of all of them. */
function Lines({ from, rows, end }: { from: number; rows: number; end: boolean }) {
  const middle = rows / 2
  const [near, far] = end ? [1, 0] : [0, 1]
  return (
    <svg className={classes.lines} viewBox={`0 0 1 ${rows}`} preserveAspectRatio="none" aria-hidden>
      {Array.from({ length: from }, (_, row) => (
        <path
          key={row}
          d={`M ${near} ${row + 0.5} C 0.5 ${row + 0.5} 0.5 ${middle} ${far} ${middle}`}
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  )
}
