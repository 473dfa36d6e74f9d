import { Suspense } from 'react'
import type { YamlEditorProps } from './editor/YamlEditor.tsx'
import classes from './editor/YamlEditor.module.css'
import { lazyPart } from '../ui/lazy-part.tsx'

const YamlEditor = lazyPart(async () => (await import('./editor/YamlEditor.tsx')).YamlEditor)

/** The editor, whose code is large and comes when it is needed; until then its frame stands there. */
export function LazyYamlEditor(props: YamlEditorProps) {
  return (
    <Suspense fallback={<EditorSkeleton />}>
      <YamlEditor {...props} />
    </Suspense>
  )
}

function EditorSkeleton() {
  return (
    <div className={classes.frame} aria-hidden>
      <div className={classes.skeleton}>
        <div className={classes.skeletonLine} style={{ width: '12%' }} />
        <div className={classes.skeletonLine} style={{ width: '34%' }} />
        <div className={classes.skeletonLine} style={{ width: '26%' }} />
      </div>
      <div className={classes.status} />
    </div>
  )
}
