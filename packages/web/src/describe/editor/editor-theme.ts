import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const frame = EditorView.theme({
  '&': { color: 'var(--ink)', backgroundColor: 'var(--surface)', fontSize: 'inherit' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.6' },
  '.cm-content': { caretColor: 'var(--ink)', padding: 'var(--space-3) 0' },
  '.cm-line': { padding: '0 var(--space-3)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': {
    backgroundColor: 'var(--surface)',
    color: 'var(--ink-soft)',
    borderRight: '1px solid var(--line)',
  },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 var(--space-2)', minWidth: '2rem' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent', color: 'inherit' },
  '&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--sunken) 70%, transparent)',
  },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground':
    { backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)' },
})

const lint = EditorView.theme({
  '.cm-lintRange': { backgroundImage: 'none', paddingBottom: '1px' },
  '.cm-lintRange-error': {
    textDecoration: 'underline wavy var(--danger) 1.5px',
    textUnderlineOffset: '0.25em',
  },
  '.cm-diagnostic': { padding: 'var(--space-2) var(--space-3)', fontFamily: 'var(--font)' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--danger)' },
  '.cm-diagnosticAction': {
    backgroundColor: 'var(--accent)',
    color: 'var(--surface)',
    font: 'inherit',
    fontSize: 'var(--text-s)',
    borderRadius: '3px',
    padding: '2px var(--space-2)',
  },
})

const suggestions = EditorView.theme({
  '.cm-tooltip': {
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    boxShadow: 'var(--shade)',
    maxWidth: 'min(36rem, calc(100vw - 2rem))',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-mono)',
    fontSize: 'var(--text-s)',
    maxHeight: '14rem',
    maxWidth: 'min(36rem, calc(100vw - 2rem))',
    minWidth: 'min(16rem, calc(100vw - 2rem))',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': {
    padding: 'var(--space-1) var(--space-3)',
    lineHeight: '1.5',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--ink)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionDetail': {
    fontFamily: 'var(--font)',
    fontStyle: 'normal',
    color: 'var(--ink-soft)',
    marginLeft: 'var(--space-3)',
  },
})

const help = EditorView.theme({
  '.cm-tooltip.cm-completionInfo': {
    padding: 'var(--space-2) var(--space-3)',
    fontFamily: 'var(--font-mono)',
    fontSize: 'var(--text-s)',
  },
  // There it would lie over the list; the status line says what a word means.
  '.cm-completionInfo-left-narrow, .cm-completionInfo-right-narrow': { display: 'none' },
  '.cm-help': {
    maxWidth: 'min(28rem, calc(100vw - 3rem))',
    padding: 'var(--space-2) var(--space-3)',
    fontSize: 'var(--text-s)',
    lineHeight: '1.5',
  },
  '.cm-help > code:first-child': { fontWeight: '700' },
  '.cm-help-example': { display: 'block', color: 'var(--ink-soft)', overflowWrap: 'anywhere' },
})

const highlighting = HighlightStyle.define([
  { tag: tags.propertyName, color: 'var(--accent)', fontWeight: '600' },
  { tag: [tags.definition(tags.propertyName)], color: 'var(--accent)', fontWeight: '600' },
  { tag: tags.comment, color: 'var(--ink-soft)', fontStyle: 'italic' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--notice)' },
  { tag: [tags.keyword, tags.meta, tags.typeName], color: 'var(--ink-soft)' },
  {
    tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace],
    color: 'var(--ink-soft)',
  },
])

/** The looks of the editor, all by the app's tokens, so that both colour schemes hold. */
export const editorTheme: Extension = [
  frame,
  lint,
  suggestions,
  help,
  syntaxHighlighting(highlighting),
]
