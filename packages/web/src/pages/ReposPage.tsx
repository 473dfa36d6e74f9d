import { PageHeader } from '../ui/PageHeader.tsx'

export function ReposPage() {
  return <PageHeader title="Repos" />
}
