import { PageHeader } from '../ui/PageHeader.tsx'

export function AddViewPage() {
  return <PageHeader title="AddView" />
}
