import { PageHeader } from '../ui/PageHeader.tsx'

export function DatasetsPage() {
  return <PageHeader title="Datasets" />
}
