import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, indentUnit } from '@codemirror/language'
import { linter, lintKeymap } from '@codemirror/lint'
import { EditorState, Prec, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import type { Help } from '../suggest/help-at.ts'
import { repoRules } from '../suggest/repo-rules.ts'
import { viewRules } from '../suggest/view-rules.ts'
import { completeDescription } from './complete-description.ts'
import { descriptionHelp } from './description-help.ts'
import { editorTheme } from './editor-theme.ts'
import { lintDescription, type LintContext } from './lint-description.ts'

const lintDelayMs = 200

export type EditorNeeds = {
  kind: LintContext['kind']
  lookup: LintContext['lookup']
  /** Returns the server's last refusal. */
  refusal: () => LintContext['refusal']
  onSubmit: () => void
  /** Called with help on the word at the cursor. */
  onHelp: (help: Help | undefined) => void
}

/**
 * Makes CodeMirror the editor of a description. Tab is bound to nothing: it leaves the editor
 * (WCAG 2.2, 2.1.2 No Keyboard Trap).
 */
export function descriptionExtensions(needs: EditorNeeds): Extension {
  const { kind, lookup, refusal, onSubmit, onHelp } = needs
  const rules = { repo: repoRules, view: viewRules }[kind.noun]
  return [
    lineNumbers(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    bracketMatching(),
    closeBrackets(),
    yaml(),
    indentUnit.of('  '),
    EditorState.tabSize.of(2),
    EditorView.lineWrapping,
    autocompletion({
      override: [completeDescription(rules, lookup)],
      icons: false,
      activateOnCompletion: ({ type }) => type === 'key',
    }),
    descriptionHelp({ rules, lookup, onHelp }),
    linter(({ state }) => lintDescription(state.doc, { kind, lookup, refusal: refusal() }), {
      delay: lintDelayMs,
    }),
    Prec.highest(
      keymap.of([
        {
          key: 'Mod-Enter',
          run: () => {
            onSubmit()
            return true
          },
        },
      ]),
    ),
    keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...lintKeymap]),
    editorTheme,
  ]
}
