import { DescribeForm } from '../describe/DescribeForm.tsx'
import { viewKind } from '../describe/description-kind.ts'
import { paths } from '../paths.ts'
import { PageHeader } from '../ui/PageHeader.tsx'

export function AddViewPage() {
  return (
    <>
      <PageHeader title={viewKind.heading} crumbs={[{ label: 'Views', to: paths.views() }]} />
      <DescribeForm
        kind={viewKind}
        next={(name) => [
          { to: paths.dataset(name), label: `Open ${name}` },
          { to: paths.items(name), label: 'Show items' },
        ]}
      />
    </>
  )
}
