import { PageHeader } from '../ui/PageHeader.tsx'

export function AddItemPage() {
  return <PageHeader title="AddItem" />
}
