import { PageHeader } from '../ui/PageHeader.tsx'

export function AddRepoPage() {
  return <PageHeader title="AddRepo" />
}
