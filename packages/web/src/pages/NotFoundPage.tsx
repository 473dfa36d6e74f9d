import { paths } from '../paths.ts'
import { ButtonLink } from '../ui/ButtonLink.tsx'
import { PageHeader } from '../ui/PageHeader.tsx'

export function NotFoundPage() {
  return (
    <>
      <PageHeader title="404 - Page not found">
        <p>There is nothing at this address. It may have been mistyped.</p>
      </PageHeader>
      <ButtonLink to={paths.datasets()}>Datasets</ButtonLink>
    </>
  )
}
