import { useSearchParams } from 'react-router'
import { DescribeForm } from '../../describe/DescribeForm.tsx'
import { viewKind } from '../../describe/description-kind.ts'
import { viewBeginning } from '../../explore/view-beginning.ts'
import { ForCreators } from '../../layout/ForRole.tsx'
import { paths } from '../../paths.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'

export function AddViewPage() {
  const [search] = useSearchParams()
  const begin = viewBeginning(search)
  return (
    <>
      <PageHeader title={viewKind.heading} crumbs={[{ label: 'Views', to: paths.views() }]} />
      <ForCreators>
        <DescribeForm
          key={begin}
          kind={viewKind}
          begin={begin}
          next={(name) => [
            { to: paths.dataset(name), label: `Open ${name}` },
            { to: paths.items(name), label: 'Show items' },
          ]}
        />
      </ForCreators>
    </>
  )
}
