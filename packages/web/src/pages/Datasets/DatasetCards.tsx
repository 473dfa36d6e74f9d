import type { FoundDataset } from '@vitrine/contract'
import { paths } from '../../paths.ts'
import { AddItemLink } from './AddLinks.tsx'
import { RelativeTime } from '../../ui/Time.tsx'
import { CellLink, RowLink } from '../../ui/RowLink.tsx'
import { TextSkeleton } from '../../ui/TextSkeleton.tsx'
import { Covers } from './Covers.tsx'
import { AboutDataset, ItemsOfDataset, kindName } from './dataset-facts.tsx'
import classes from './DatasetCards.module.css'
import { isNews, NewMark } from './News.tsx'

type Props = {
  label: string
  /** Absent while they load: as many cards of the same height stand for them. */
  datasets: readonly FoundDataset[] | undefined
  expected: number
  /** Whether these are about to be replaced. */
  stale: boolean
  /** Whether items can be added from here. */
  addsItems: boolean
  /** Moment in milliseconds after which changes are marked. */
  since: number | undefined
}

/** Datasets side by side, each with its pictures. */
export function DatasetCards({ label, datasets, expected, stale, ...rest }: Props) {
  return (
    <ul aria-label={label} aria-busy={datasets === undefined || stale} className={classes.cards}>
      {datasets === undefined
        ? Array.from({ length: expected }, (_, index) => <CardSkeleton key={`skeleton ${index}`} />)
        : datasets.map((dataset) => <Card key={dataset.name} dataset={dataset} {...rest} />)}
    </ul>
  )
}

type CardProps = Pick<Props, 'addsItems' | 'since'> & { dataset: FoundDataset }

function Card({ dataset, addsItems, since }: CardProps) {
  const { name, kind, base, items, createdAt, addedAt, covers, fieldNames = [] } = dataset
  return (
    <li className={classes.card}>
      <div className={classes.covers}>
        {covers.length > 0 ? (
          <Covers datasetId={name} covers={covers} large />
        ) : (
          <FieldNames names={fieldNames} />
        )}
      </div>
      <h2 className={classes.name} title={name}>
        <RowLink to={paths.items(name)}>{name}</RowLink>
      </h2>
      <p className={classes.about}>
        <AboutDataset dataset={dataset} />
      </p>
      <p className={classes.facts}>
        {kindName[kind]}
        {base !== undefined && (
          <>
            {' '}
            of <CellLink to={paths.dataset(base)}>{base}</CellLink>
          </>
        )}{' '}
        · <ItemsOfDataset items={items} alone /> · {isNews(dataset, since) && <NewMark />}
        {addedAt === undefined ? (
          <>
            created <RelativeTime iso={createdAt} />
          </>
        ) : (
          <>
            added <RelativeTime iso={addedAt} />
          </>
        )}
      </p>
      <p className={classes.links}>
        <CellLink to={paths.items(name)}>items</CellLink>{' '}
        <CellLink to={paths.dataset(name)}>details</CellLink>
        {addsItems && <AddItemLink name={name} />}
      </p>
    </li>
  )
}

/** The fields of a dataset without pictures, as many as fit. */
function FieldNames({ names }: { names: readonly string[] }) {
  return (
    <p className={classes.fields}>
      {names.map((name) => (
        <bdi key={name}>{name}</bdi>
      ))}
    </p>
  )
}

function CardSkeleton() {
  return (
    <li className={classes.card} aria-hidden>
      <div className={classes.covers} />
      <p className={classes.name}>
        <TextSkeleton width={14} />
      </p>
      <p className={classes.about}>
        <TextSkeleton width={24} />
      </p>
      <p className={classes.facts}>
        <TextSkeleton width={20} />
      </p>
      <p className={classes.links}>
        <TextSkeleton width={12} />
      </p>
    </li>
  )
}
