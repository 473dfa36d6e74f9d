import { PageHeader } from '../ui/PageHeader.tsx'

export function ItemPage() {
  return <PageHeader title="Item" />
}
