import { PageHeader } from '../ui/PageHeader.tsx'

export function ItemsPage() {
  return <PageHeader title="Items" />
}
