import { useQuery } from '@tanstack/react-query'
import { type DatasetSummary, type Exploration, filterOf, isPart } from '@vitrine/contract'
import { useApp } from '../../app-context.tsx'
import type { Answer } from '../../data/answer.ts'
import { nothingText, scanText } from '../../explore/count-text.ts'
import { useExploration } from '../../explore/use-exploration.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorBox } from '../../ui/ErrorBox.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { showItems } from '../../ui/show-amounts.ts'
import { TextSkeleton } from '../../ui/TextSkeleton.tsx'
import { useParam } from '../use-param.ts'
import { NoItems } from '../Items/NoItems.tsx'
import { DatasetTabs } from '../DatasetTabs.tsx'
import { StateBanner } from '../States/StateBanner.tsx'
import { FieldSection } from './FieldSection.tsx'
import classes from './SummaryPage.module.css'

/** Summary of the values of a dataset, or of the items that pass the filter in the address. */
export function SummaryPage() {
  const { queries, features } = useApp()
  const datasetId = useParam('datasetId')
  const { exploration, problems } = useExploration()
  const filter = filterOf(exploration)
  const isNarrowed = isPart(exploration)
  const { data, error, refetch } = useQuery({
    ...queries.datasetSummary(datasetId, filter),
    enabled: problems.length === 0,
  })
  const isWhole = data !== undefined && data.progress === undefined
  const { data: info } = useQuery(queries.datasetGet(datasetId))
  const targetOf = (name: string) =>
    features.includes('labels')
      ? info?.schema.find((each) => each.name === name)?.target
      : undefined
  return (
    <>
      <PageHeader
        title={datasetId}
        documentTitle="Summary"
        crumbs={[
          { label: 'Datasets', to: paths.datasets() },
          { label: datasetId, to: paths.dataset(datasetId) },
        ]}
      >
        <p>{data === undefined ? <TextSkeleton width={9} /> : coveredText(data, exploration)}</p>
        <DatasetTabs datasetId={datasetId} info={info} exploration={exploration} />
      </PageHeader>
      <StateBanner datasetId={datasetId} toNow={(name) => paths.summary(name, filter)} />
      {problems.length > 0 ? (
        <ErrorBox error={{ message: 'The filter in the address cannot be read' }} />
      ) : error !== null && data === undefined ? (
        <ErrorBox error={error} onRetry={() => void refetch()} />
      ) : data?.value.items === 0 && data.value.exact ? (
        isNarrowed ? (
          <EmptyState text={nothingText(exploration)} />
        ) : (
          <NoItems datasetId={datasetId} info={info} />
        )
      ) : (
        // What grows would push the rest about: until all was looked at, only numbers that keep their places.
        <div
          key={isWhole ? 'whole' : 'part'}
          className={classes.fields}
          data-part={!isWhole || undefined}
          aria-busy={data === undefined}
        >
          {data?.value.fields.map((field) => (
            <FieldSection
              key={field.name}
              datasetId={datasetId}
              exploration={filter}
              field={field}
              isWhole={isWhole}
              target={targetOf(field.name)}
            />
          ))}
        </div>
      )}
    </>
  )
}

function coveredText(
  { value, progress }: Answer<DatasetSummary>,
  { where, q, current }: Exploration,
): string {
  const isFiltered = where !== undefined || q !== undefined
  const which = isFiltered ? ' that pass the filters' : current === true ? ' that are current' : ''
  const items = showItems(value.items) + which
  return progress === undefined ? items : `${items}, looked at ${scanText(progress)} so far`
}
