import type { DatasetInfo } from '@vitrine/contract'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'

/** Says that a dataset has no items, and leads to where one is added. */
export function NoItems({ datasetId, info }: { datasetId: string; info: DatasetInfo | undefined }) {
  return (
    <EmptyState text="Dataset has no Items" warning>
      {info?.repo !== undefined && <ButtonLink to={paths.addItem(datasetId)}>Add item</ButtonLink>}
    </EmptyState>
  )
}
