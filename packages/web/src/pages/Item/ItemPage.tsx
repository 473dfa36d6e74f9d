import { useQuery } from '@tanstack/react-query'
import { type DatasetInfo, baseOf, itemLabel } from '@vitrine/contract'
import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { TextSkeleton } from '../../ui/TextSkeleton.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { PersonName } from '../../ui/PersonName.tsx'
import { Timestamp } from '../../ui/Time.tsx'
import { useFoundAmong } from '../../explore/found-among.ts'
import { Cite } from '../States/Cite.tsx'
import { SideBySide } from '../../ui/SideBySide.tsx'
import { StateBanner } from '../States/StateBanner.tsx'
import { ItemFields } from './ItemFields.tsx'
import { ItemNeighbours } from './ItemNeighbours.tsx'
import classes from './ItemPage.module.css'
import { ItemSeal } from './ItemSeal.tsx'
import { ItemVersions, useItemVersions, VersionBanner } from './ItemVersions.tsx'
import { Referrers, useReferring } from './Referrers.tsx'
import { Showcase, showcaseField } from './Showcase.tsx'
import { useParam } from '../use-param.ts'

export function ItemPage() {
  const { queries, features } = useApp()
  const datasetId = useParam('datasetId')
  const itemId = useParam('itemId')
  const info = useQuery(queries.datasetGet(datasetId))
  const item = useQuery(queries.datasetItemGet(datasetId, itemId))
  const shown = item.data
  const author = useQuery(queries.datasetItemAuthor(datasetId, itemId)).data?.author
  const { chain, isLoading, actions } = useItemVersions(datasetId, { itemId, info: info.data })
  const exploration = useFoundAmong()
  const repo = useRepoOf(info.data)
  const referring = useReferring(info.data)
  const label =
    features.includes('labels') && info.data && shown ? itemLabel(info.data, shown) : undefined
  const title = label ?? `Item ${itemId}`
  const showcase = showcaseField(info.data, shown, features)
  const fields = (
    <ItemFields
      datasetId={datasetId}
      itemId={itemId}
      without={showcase?.name}
      isAwaited={isLoading}
    />
  )
  // Nothing stands below what refers to the item, and its versions, before these are known.
  const sections = info.data && shown && referring && !isLoading && (
    <>
      {(chain ?? actions) && <ItemVersions datasetId={datasetId} chain={chain} actions={actions} />}
      <ItemSeal
        key={`${datasetId}/${shown.id}`}
        datasetId={datasetId}
        info={info.data}
        item={shown}
        repo={repo}
      />
      <Referrers fields={referring} itemId={shown.id} />
      {features.includes('states') && <Cite info={info.data} itemId={itemId} />}
    </>
  )
  return (
    <>
      <PageHeader
        title={title}
        crumb={`Item ${itemId}`}
        crumbs={[
          { label: 'Datasets', to: paths.datasets() },
          { label: datasetId, to: paths.dataset(datasetId) },
          { label: 'Items', to: paths.items(datasetId, exploration) },
        ]}
        actions={
          features.includes('neighbours') && (
            <ItemNeighbours
              datasetId={datasetId}
              itemId={itemId}
              exploration={exploration}
              title={title}
            />
          )
        }
      >
        {item.isPending && (
          <p>
            <TextSkeleton width={20} />
          </p>
        )}
        {shown?.createdAt !== undefined && (
          <p>
            added <Timestamp iso={shown.createdAt} />
            {author && (
              <>
                {' by '}
                <PersonName person={author} />
              </>
            )}
          </p>
        )}
      </PageHeader>
      <StateBanner datasetId={datasetId} toNow={(name) => paths.item(name, itemId)} />
      {chain && <VersionBanner datasetId={datasetId} chain={chain} />}
      {showcase ? (
        <div className={classes.case}>
          <Showcase datasetId={datasetId} itemId={itemId} field={showcase} item={shown} />
          <div className={classes.label}>
            {fields}
            {sections}
          </div>
        </div>
      ) : (
        <SideBySide first={fields} second={sections} />
      )}
    </>
  )
}

/** The repository that has the items of a dataset: itself, or what its view is of in the end. */
export function useRepoOf(info: DatasetInfo | undefined): string | undefined {
  const { client } = useApp()
  const { data } = useQuery({
    queryKey: ['datasetGet', { repoOf: info?.name }],
    enabled: info?.view !== undefined,
    queryFn: async ({ signal }) => {
      let base = baseOf(info!.view!).name
      for (;;) {
        const { view } = await client.datasetGet({ datasetId: base }, { signal })
        if (view === undefined) return base
        base = baseOf(view).name
      }
    },
  })
  return info?.view === undefined ? info?.name : data
}
