import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { emptyDescription } from '@vitrine/contract'
import type { Inferred } from '@vitrine/rows/describe/describe-rows'
import { Suspense, useEffect, useId, useMemo, useRef, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useApp } from '../app-context.tsx'
import { DraftNotice } from '../drafts/DraftNotice.tsx'
import { useDraft } from '../drafts/use-draft.ts'
import { datasetsChanged } from '../data/changes.ts'
import { Outcome } from '../ui/Outcome.tsx'
import { createDatasetLookup } from './dataset-lookup.ts'
import classes from './DescribeForm.module.css'
import type { DescriptionKind } from './description-kind.ts'
import type { EditorHandle, TextChange } from './editor/YamlEditor.tsx'
import { LazyPreviewPane } from './LazyPreviewPane.tsx'
import { LazyYamlEditor } from './LazyYamlEditor.tsx'
import { DescriptionRefused, isMended, submitDescription } from './submit-description.ts'
import { lazyPart } from '../ui/lazy-part.tsx'

const ColumnTypes = lazyPart(async () => (await import('./from-data/ColumnTypes.tsx')).ColumnTypes)

const DefinitionDiff = lazyPart(async () => (await import('./DefinitionDiff.tsx')).DefinitionDiff)

type NextLink = { to: string; label: string }

type Props = {
  kind: DescriptionKind
  /** Text of the editor at first, where that is more than an empty description. */
  begin?: string | undefined
  /** Links to show once the dataset of this name is there. */
  next: (name: string) => readonly NextLink[]
  submitLabel?: string
  /** Columns of the file that the description begins from. */
  inferred?: Inferred | undefined
  /** Renders what is between the editor and the button, for the current text. */
  renderBeside?: (text: string) => ReactNode
  /** Called with the name of the dataset that was added. */
  onAdded?: ((name: string) => void) | undefined
}

/** Enters and submits a description: busy, 'Request successful', or the error. */
export function DescribeForm(props: Props) {
  const {
    kind,
    begin = emptyDescription,
    next,
    submitLabel = 'Submit',
    inferred,
    renderBeside,
    onAdded,
  } = props
  const { client, queries, queryClient, features } = useApp()
  const lookup = useMemo(
    () => createDatasetLookup(queryClient, client, queries),
    [queryClient, client, queries],
  )
  const promptId = useId()
  const editor = useRef<EditorHandle>(null)
  const screen = `add${kind.noun}${begin === emptyDescription ? '' : ` ${begin}`}`
  const draft = useDraft(screen, begin, keptText)
  const submission = useMutation({
    mutationFn: (text: string) => submitDescription(kind, client, text),
    onSuccess: (name) => {
      draft.settle()
      onAdded?.(name)
      return datasetsChanged(queryClient)
    },
    onError: (error) => {
      if (!(error instanceof DescriptionRefused)) return
      const [first] = error.placed
      if (first !== undefined) editor.current?.goTo(first.from)
    },
  })
  const replaceText = (text: string) => {
    // Until the editor is there, the text is what it will begin with.
    if (editor.current === null) draft.change(text)
    else editor.current.replaceText(text)
  }
  const changeText = (change: TextChange) => {
    const { from, to, insert } = change
    if (editor.current !== null) editor.current.change(change)
    else draft.change(draft.value.slice(0, from) + insert + draft.value.slice(to))
  }
  const submit = () => {
    if (!submission.isPending) submission.mutate(draft.value)
  }
  const refused = submission.error instanceof DescriptionRefused ? submission.error : undefined
  const { reset } = submission
  useEffect(() => {
    if (refused === undefined) return
    let isOutdated = false
    const look = async () => {
      if ((await isMended(kind, refused, draft.value)) && !isOutdated) reset()
    }
    void look()
    return () => {
      isOutdated = true
    }
  }, [refused, kind, draft.value, reset])

  const form = (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {draft.restored && (
        <DraftNotice
          onDiscard={() => {
            replaceText(begin)
            draft.settle()
          }}
        />
      )}
      {inferred !== undefined && (
        <Suspense>
          <ColumnTypes inferred={inferred} text={draft.value} onChange={changeText} />
        </Suspense>
      )}
      <div className={classes.head}>
        <span id={promptId} className={classes.prompt}>
          {kind.prompt}
        </span>
        {kind.example !== undefined && (
          <Button
            variant="default"
            size="compact-md"
            disabled={draft.value.trim() !== emptyDescription}
            onClick={() => replaceText(kind.example ?? '')}
          >
            Insert example
          </Button>
        )}
      </div>
      <LazyYamlEditor
        ref={editor}
        kind={kind}
        lookup={lookup}
        initialText={draft.value}
        labelledBy={promptId}
        refusal={refused}
        onChange={(text) => draft.change(text.trim() === begin.trim() ? undefined : text)}
        onSubmit={submit}
      />
      {renderBeside?.(draft.value)}
      <div>
        <Button type="submit" loading={submission.isPending}>
          {submitLabel}
        </Button>
      </div>
      <Outcome status={submission.status} error={submission.error} busy={kind.busy}>
        {submission.data !== undefined &&
          next(submission.data).map(({ to, label }) => (
            <Link key={to} to={to}>
              {label}
            </Link>
          ))}
      </Outcome>
      {refused?.taken !== undefined && (
        <Suspense>
          <DefinitionDiff taken={refused.taken} />
        </Suspense>
      )}
    </form>
  )
  if (kind.noun === 'repo' || !features.includes('preview')) return form
  return (
    <div className={classes.workbench}>
      {form}
      <LazyPreviewPane
        text={draft.value}
        lookup={lookup}
        onGoTo={(offset) => editor.current?.goTo(offset)}
      />
    </div>
  )
}

function keptText(stored: unknown): string | undefined {
  return typeof stored === 'string' ? stored : undefined
}
