import { PageHeader } from '../ui/PageHeader.tsx'

export function DatasetPage() {
  return <PageHeader title="Dataset" />
}
