import { useQuery } from '@tanstack/react-query'
import { filterOf, isPart, type Exploration } from '@vitrine/contract'
import { useApp } from '../app-context.tsx'
import { totalText } from '../explore/count-text.ts'
import { useItemNames } from '../explore/use-item-names.ts'
import { TextSkeleton } from '../ui/TextSkeleton.tsx'
import { explorationText } from './exploration-text.ts'
import classes from './ExportDialog.module.css'

type Props = {
  datasetId: string
  /** Exploration on the screen. */
  exploration: Exploration
  isWhole: boolean
  onChange: (isWhole: boolean) => void
  disabled: boolean
}

/** The choice between the items that are on the screen, as they are filtered and sorted, and all of them. */
export function ExtentChoice({ datasetId, exploration, isWhole, onChange, disabled }: Props) {
  const { queries } = useApp()
  const nameOf = useItemNames(datasetId, exploration.where)
  const all = useQuery(queries.datasetCount(datasetId)).data
  const these = useQuery(queries.datasetCount(datasetId, filterOf(exploration))).data
  const extents = [
    {
      whole: false,
      label: isPart(exploration) ? 'These items' : 'In this order',
      total: these,
      what: explorationText(exploration, nameOf),
    },
    {
      whole: true,
      label: isPart(exploration) ? 'All items' : 'As the dataset has them',
      total: all,
    },
  ]
  return (
    <fieldset className={classes.formats} disabled={disabled}>
      <legend>Items</legend>
      {extents.map(({ whole, label, total, what }) => (
        <label key={label} className={classes.format}>
          <input
            type="radio"
            name="extent"
            checked={whole === isWhole}
            onChange={() => onChange(whole)}
          />
          <span>
            <span className={classes.label}>{label}</span>{' '}
            <span className={classes.about} dir="auto">
              {total === undefined ? <TextSkeleton width={5} /> : totalText(total)}
              {what !== undefined && `: ${what}`}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
