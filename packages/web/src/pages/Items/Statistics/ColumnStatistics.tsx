import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Comparison, type FieldSummary, filterOf, type ShownField } from '@vitrine/contract'
import { useMemo, type ReactNode } from 'react'
import { useApp } from '../../../app-context.tsx'
import {
  hasComparison,
  isBeside,
  toggledWhere,
  whereBeside,
} from '../../../explore/facet-filters.ts'
import type { ExplorationState } from '../../../explore/use-exploration.ts'
import { showItems } from '../../../ui/show-amounts.ts'
import { TextSkeleton } from '../../../ui/TextSkeleton.tsx'
import classes from './ColumnStatistics.module.css'
import { plotOf } from './plot-of.ts'
import { PlotOfField } from './PlotOfField.tsx'

type Props = { datasetId: string; field: ShownField; explored: ExplorationState }

/** Statistics of a column's values, of the items of the exploration without the filter that was chosen here. */
export function ColumnStatistics({ datasetId, field, explored }: Props) {
  const { name, target } = field
  const { queries, features } = useApp()
  const { exploration, setWhere } = explored
  const where = whereBeside(exploration.where, name)
  const { data, isPlaceholderData } = useQuery({
    ...queries.datasetSummary(datasetId, { ...filterOf(exploration), where }),
    placeholderData: keepPreviousData,
  })
  const summary = data?.value.fields.find((each) => each.name === name)
  const plot = useMemo(() => summary && plotOf(summary), [summary])
  const soFar = data?.progress === undefined ? '' : ' so far'
  const isPressed = (comparison: Comparison) => hasComparison(exploration.where, name, comparison)
  const toggle = (comparison: Comparison) =>
    setWhere(toggledWhere(exploration.where, name, comparison))
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="group"
      aria-label={`Statistics of ${name}${soFar}`}
      aria-busy={summary === undefined || isPlaceholderData}
      className={classes.statistics}
    >
      <dl className={classes.facts}>
        <Fact name={`present${soFar}`}>{summary?.present.toLocaleString()}</Fact>
        <Fact name="missing">{summary && <Missing {...{ summary, isPressed, toggle }} />}</Fact>
        <Fact name="distinct">
          {summary &&
            (summary.estimated === true ? 'about ' : '') + summary.distinct.toLocaleString()}
        </Fact>
      </dl>
      {summary === undefined ? (
        <div className={classes.plot} data-kind="skeleton" />
      ) : plot === undefined ? (
        <div className={classes.plot} />
      ) : (
        <PlotOfField
          name={name}
          plot={plot}
          of={summary.present}
          target={features.includes('labels') ? target : undefined}
          isPressed={isPressed}
          isBeside={(bin) => isBeside(exploration.where, field, bin)}
          onToggle={toggle}
        />
      )}
      <div className={classes.ends}>
        {plot?.ends.map((end, index) => (
          // The least may be the greatest.
          // oxlint-disable-next-line react/no-array-index-key
          <bdi key={index} title={`${index === 0 ? 'least' : 'greatest'}: ${end}`}>
            {end}
          </bdi>
        ))}
      </div>
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children ?? <TextSkeleton width={5} />}</dd>
    </div>
  )
}

type MissingProps = {
  summary: FieldSummary
  isPressed: (comparison: Comparison) => boolean
  toggle: (comparison: Comparison) => void
}

const withoutValue: Comparison = { empty: true }

/** How many items have no value, which is a filter. */
function Missing({ summary: { name, type, missing }, isPressed, toggle }: MissingProps) {
  const count = missing.toLocaleString()
  // Of texts, '' is empty as well.
  if (missing === 0 || type === 'string') return count
  return (
    <button
      type="button"
      className={classes.missing}
      aria-label={`${name} missing: ${showItems(missing)}`}
      aria-pressed={isPressed(withoutValue)}
      onClick={() => toggle(withoutValue)}
    >
      {count}
    </button>
  )
}
