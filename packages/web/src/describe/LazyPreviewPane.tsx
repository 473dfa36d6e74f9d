import { Suspense } from 'react'
import type { PreviewPaneProps } from './preview/PreviewPane.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'

const PreviewPane = lazyPart(async () => (await import('./preview/PreviewPane.tsx')).PreviewPane)

/** The preview, which parses what the editor holds and so needs code as large; until then its place. */
export function LazyPreviewPane(props: PreviewPaneProps) {
  return (
    <Suspense fallback={<div />}>
      <PreviewPane {...props} />
    </Suspense>
  )
}
