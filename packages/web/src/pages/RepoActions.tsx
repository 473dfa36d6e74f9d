import { IconPlus } from '@tabler/icons-react'
import type { DatasetInfo } from '@vitrine/contract'
import { useApp } from '../app-context.tsx'
import { paths } from '../paths.ts'
import { ButtonBone } from '../ui/ButtonBone.tsx'
import { ButtonLink } from '../ui/ButtonLink.tsx'

type Props = { datasetId: string; info: DatasetInfo | undefined }

/** What adds items, if a dataset turns out to be a repository. */
export function RepoActions({ datasetId, info }: Props) {
  const { features } = useApp()
  const canImport = features.includes('import')
  if (info === undefined) {
    return (
      <>
        <ButtonBone />
        {canImport && <ButtonBone />}
      </>
    )
  }
  if (info.repo === undefined) return null
  return (
    <>
      {canImport && (
        <ButtonLink to={paths.importRows(datasetId)} variant="default">
          Import
        </ButtonLink>
      )}
      <ButtonLink to={paths.addItem(datasetId)} leftSection={<IconPlus size={16} aria-hidden />}>
        Add item
      </ButtonLink>
    </>
  )
}
