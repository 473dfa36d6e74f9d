import { forceLinting, setDiagnosticsEffect } from '@codemirror/lint'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { emptyDescription } from '@vitrine/contract'
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState, type Ref } from 'react'
import type { DescriptionKind } from '../description-kind.ts'
import type { DescriptionRefused } from '../submit-description.ts'
import type { Help } from '../suggest/help-at.ts'
import type { DatasetLookup } from '../suggest/suggest.ts'
import { descriptionExtensions } from './description-extensions.ts'
import { EditorStatus } from './EditorStatus.tsx'
import { shownProblems, type ShownProblem } from './editor-problems.ts'
import classes from './YamlEditor.module.css'

/** Commands of a screen to its editor. */
export type EditorHandle = {
  /** Puts another text in place of the whole; it can be undone. */
  replaceText: (text: string) => void
  /** Changes a part of the text, and leaves the focus where it is. */
  change: (change: TextChange) => void
  /** Puts the cursor at an offset and the focus into the editor. */
  goTo: (offset: number) => void
}

/** A part of a text, and what is to stand there. */
export type TextChange = { from: number; to: number; insert: string }

export type YamlEditorProps = {
  kind: DescriptionKind
  lookup: DatasetLookup
  initialText: string
  /** The id of the element that names the editor. */
  labelledBy: string
  refusal: DescriptionRefused | undefined
  onChange: (text: string) => void
  onSubmit: () => void
  ref: Ref<EditorHandle>
}

export function YamlEditor(props: YamlEditorProps) {
  const { kind, lookup, initialText, labelledBy, refusal, onChange, onSubmit, ref } = props
  const parent = useRef<HTMLDivElement>(null)
  const editor = useRef<EditorView>(null)
  const lastRefusal = useRef(refusal)
  const [problems, setProblems] = useState<ShownProblem[]>([])
  const [help, setHelp] = useState<Help>()
  const [firstText] = useState(initialText)
  const changed = useEffectEvent(onChange)
  const submitted = useEffectEvent(onSubmit)

  useEffect(() => {
    const view = new EditorView({
      parent: parent.current!,
      state: EditorState.create({
        doc: firstText,
        selection: { anchor: beginning(firstText) },
        extensions: [
          descriptionExtensions({
            kind,
            lookup,
            refusal: () => lastRefusal.current,
            onSubmit: () => submitted(),
            onHelp: setHelp,
          }),
          EditorView.contentAttributes.of({
            'aria-labelledby': labelledBy,
            'aria-describedby': `${labelledBy}-status`,
            spellcheck: 'false',
            // It is focusable without, but not every checker of the scrolling box around it knows.
            tabindex: '0',
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString())
            const linted = update.transactions.some((transaction) =>
              transaction.effects.some((effect) => effect.is(setDiagnosticsEffect)),
            )
            if (linted || update.docChanged) setProblems(shownProblems(update.state))
          }),
        ],
      }),
    })
    editor.current = view
    // A text to begin with is there to be written on.
    if (firstText !== emptyDescription) view.focus()
    return () => view.destroy()
  }, [firstText, kind, labelledBy, lookup])

  useEffect(() => {
    lastRefusal.current = refusal
    if (refusal !== undefined && editor.current !== null) forceLinting(editor.current)
  }, [refusal])

  const goTo = (offset: number) => {
    const view = editor.current
    view?.dispatch({
      selection: { anchor: offset },
      effects: EditorView.scrollIntoView(offset, { y: 'center' }),
    })
    view?.focus()
  }
  useImperativeHandle(ref, () => ({
    goTo,
    change: (change) => editor.current?.dispatch({ changes: change }),
    replaceText: (text) => {
      const view = editor.current
      view?.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: text },
        selection: { anchor: text.length },
      })
      view?.focus()
    },
  }))

  return (
    <div className={classes.frame}>
      <div ref={parent} className={classes.editor} />
      <EditorStatus id={`${labelledBy}-status`} problems={problems} help={help} onGoTo={goTo} />
    </div>
  )
}

/** Returns where to go on writing: behind `name:` when that has nothing behind it, else at the end. */
function beginning(text: string): number {
  const name = /^name: $/m.exec(text)
  return name === null ? text.length : name.index + name[0].length
}
