import { PageHeader } from '../ui/PageHeader.tsx'

export function ViewsPage() {
  return <PageHeader title="Views" />
}
