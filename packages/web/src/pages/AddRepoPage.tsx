import { DescribeForm } from '../describe/DescribeForm.tsx'
import { repoKind } from '../describe/description-kind.ts'
import { paths } from '../paths.ts'
import { PageHeader } from '../ui/PageHeader.tsx'

export function AddRepoPage() {
  return (
    <>
      <PageHeader title={repoKind.heading} crumbs={[{ label: 'Repos', to: paths.repos() }]} />
      <DescribeForm
        kind={repoKind}
        next={(name) => [
          { to: paths.dataset(name), label: `Open ${name}` },
          { to: paths.addItem(name), label: 'Add Item' },
        ]}
      />
    </>
  )
}
