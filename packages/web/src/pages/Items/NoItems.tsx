import type { DatasetInfo } from '@vitrine/contract'
import { Suspense } from 'react'
import { useApp } from '../../app-context.tsx'
import { paths } from '../../paths.ts'
import { useMay } from '../../roles.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'

const WhyEmpty = lazyPart(
  async () => (await import('../../describe/preview/WhyEmpty.tsx')).WhyEmpty,
)

/** Says that a dataset has no items, and of a view why; leads to where one is added. */
export function NoItems({ datasetId, info }: { datasetId: string; info: DatasetInfo | undefined }) {
  const { features } = useApp()
  const may = useMay(datasetId)
  // A preview is of now, and not of a state of the past.
  const isExplained = info?.state === undefined && features.includes('preview')
  return (
    <>
      <EmptyState text="Dataset has no Items" warning>
        {info?.repo !== undefined && may('contributor') && (
          <ButtonLink to={paths.addItem(datasetId)}>Add item</ButtonLink>
        )}
      </EmptyState>
      {info?.view !== undefined && isExplained && (
        <Suspense>
          <WhyEmpty view={info.view} />
        </Suspense>
      )}
    </>
  )
}
