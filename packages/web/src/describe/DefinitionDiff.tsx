import { useQuery } from '@tanstack/react-query'
import { datasetInfo, type DatasetInfo } from '@vitrine/contract'
import { Link } from 'react-router'
import { useApp } from '../app-context.tsx'
import { paths } from '../paths.ts'
import { canonicalYaml } from './canonical-yaml.ts'
import classes from './DefinitionDiff.module.css'
import { lineDiff, type DiffLine } from './line-diff.ts'
import type { NameTaken } from './submit-description.ts'

const prefixes: Record<DiffLine['kind'], string | undefined> = {
  same: undefined,
  removed: 'existing: ',
  added: 'entered: ',
}

/** How the dataset that has the name already differs from the one that was entered. */
export function DefinitionDiff({ taken: { name, entered, error } }: { taken: NameTaken }) {
  const { queries } = useApp()
  const carried = datasetInfo.safeParse(error.body)
  // Another server may return the conflicting dataset in another shape: then it is asked for.
  const loaded = useQuery({ ...queries.datasetGet(name), enabled: !carried.success })
  const existing = carried.success ? carried.data : loaded.data
  if (existing === undefined) return null

  const lines = lineDiff(canonicalYaml(definitionOf(existing)), canonicalYaml(entered))
  return (
    <section className={classes.diff} aria-label="Difference from the existing definition">
      <p className={classes.caption}>
        {existing.view === undefined ? 'The repository ' : 'The view '}
        <Link to={paths.dataset(name)}>{name}</Link> exists: <del>− existing</del>{' '}
        <ins>+ entered</ins>
      </p>
      {/* A long definition scrolls, and by keyboard too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <pre className={classes.lines} tabIndex={0} aria-label="Definitions compared line by line">
        {lines.map(({ kind, text, number }) => (
          <span key={number} className={classes.line} data-kind={kind}>
            {prefixes[kind] !== undefined && <span className={classes.said}>{prefixes[kind]}</span>}
            {text}
            {'\n'}
          </span>
        ))}
      </pre>
    </section>
  )
}

function definitionOf({ repo, view, name, description, schema }: DatasetInfo): unknown {
  const definition = repo ?? view ?? {}
  return Object.keys(definition).length > 0 ? definition : { name, description, schema }
}
