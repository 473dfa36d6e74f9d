import { type DatasetInfo, type Exploration, filterOf, includesRole } from '@vitrine/contract'
import { NavLink } from 'react-router'
import { useApp } from '../app-context.tsx'
import { namedState } from '../data/named-state.ts'
import { ExportButton } from '../export/ExportButton.tsx'
import { useCommands } from '../palette/screen-commands.ts'
import { paths } from '../paths.ts'
import { useRole } from '../roles.ts'
import classes from './DatasetTabs.module.css'

type Props = {
  datasetId: string
  info: DatasetInfo | undefined
  /** Filter, order and words that items, summary and export have in common. */
  exploration?: Exploration
}

const nothing: Exploration = {}

/** The screens of a dataset, in the same place on each of them. */
export function DatasetTabs({ datasetId, info, exploration = nothing }: Props) {
  const { features } = useApp()
  const role = useRole(datasetId)?.role
  // A view is derived, and a state of the past is over: neither is added to.
  const isImported =
    info?.repo !== undefined &&
    namedState(datasetId).at === undefined &&
    features.includes('import') &&
    role !== undefined &&
    includesRole(role, 'curator')
  const tabs = [
    { label: 'Items', to: paths.items(datasetId, exploration) },
    ...(features.includes('summary')
      ? [{ label: 'Summary', to: paths.summary(datasetId, filterOf(exploration)) }]
      : []),
    { label: 'About', to: paths.dataset(datasetId) },
    ...(isImported ? [{ label: 'Import', to: paths.importRows(datasetId) }] : []),
  ]
  useCommands(tabs)
  return (
    <nav aria-label="Dataset" className={classes.tabs}>
      {tabs.map(({ label, to }) => (
        <NavLink key={label} to={to} end className={classes.tab}>
          {label}
        </NavLink>
      ))}
      {/* With the tab before it, which it would be pushed aside by. */}
      {info !== undefined && role !== undefined && features.includes('export') && (
        <ExportButton
          datasetId={datasetId}
          className={classes.tab}
          {...(features.includes('export-explored') && { exploration })}
        />
      )}
    </nav>
  )
}
