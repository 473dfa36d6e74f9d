import { lazy, Suspense } from 'react'
import type { PreviewPaneProps } from './preview/PreviewPane.tsx'

const PreviewPane = lazy(async () => {
  const { PreviewPane } = await import('./preview/PreviewPane.tsx')
  return { default: PreviewPane }
})

/** The preview, which parses what the editor holds and so needs code as large; until then its place. */
export function LazyPreviewPane(props: PreviewPaneProps) {
  return (
    <Suspense fallback={<div />}>
      <PreviewPane {...props} />
    </Suspense>
  )
}
