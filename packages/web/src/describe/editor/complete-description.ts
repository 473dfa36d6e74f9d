import {
  pickedCompletion,
  type Completion,
  type CompletionContext,
  type CompletionSource,
} from '@codemirror/autocomplete'
import type { EditorState } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import {
  suggestAt,
  type DatasetLookup,
  type Suggestion,
  type SuggestRule,
} from '../suggest/suggest.ts'
import { yamlPlace } from '../suggest/yaml-place.ts'

/** Completion by the rules of a description language. */
export function completeDescription(
  rules: readonly SuggestRule[],
  lookup: DatasetLookup,
): CompletionSource {
  return async (context: CompletionContext) => {
    const place = yamlPlace(context.state.doc.toString(), context.pos)
    if (place === undefined) return null
    // Keys are offered unasked only once a letter is typed, so that Enter ends an empty line.
    const begun = place.from < context.pos
    if (!begun && !context.explicit && (place.at === 'key' || place.ownLine)) return null

    const suggestions = await suggestAt(rules, place, lookup)
    if (context.aborted || suggestions.length === 0) return null
    return {
      from: place.from,
      to: place.to,
      // The order of the rules, where CodeMirror would sort by name.
      options: suggestions.map((each, index) => ({ ...toCompletion(each), boost: -index })),
      // Behind another dot stand the fields of another dataset.
      validFor: (text) => /^[\w./*+-]*$/.test(text) && dots(text) === dots(place.word),
    }
  }
}

function toCompletion(suggestion: Suggestion): Completion {
  const { label, kind, note, info, insert = quoted(label), before = '', tail = '' } = suggestion
  return {
    label,
    type: kind,
    ...(note !== undefined && { detail: note }),
    ...(info !== undefined && { info }),
    apply: (view: EditorView, completion: Completion, from: number, to: number) => {
      const [text, behind] =
        kind === 'key' ? keyText(suggestion, view.state, to) : [`${before}${insert}`, tail]
      view.dispatch({
        changes: { from, to, insert: text + behind },
        selection: { anchor: from + text.length },
        annotations: pickedCompletion.of(completion),
        userEvent: 'input.complete',
      })
    },
  }
}

/** A key with its colon, unless the colon is there already; and what comes behind the cursor. */
function keyText(
  { label, insert = label, before = '', after = ' ', tail = '' }: Suggestion,
  { doc }: EditorState,
  to: number,
): [string, string] {
  const isThere = doc.sliceString(to, to + 1) === ':'
  return isThere ? [insert, ''] : [`${before}${insert}:${after}`, tail]
}

function dots(text: string): number {
  return text.split('.').length
}

/** A plain scalar that would be read as something else than text is quoted (YAML 1.2 §10.3.2). */
function quoted(name: string): string {
  return /^(?:[-+.]?\d[\d._]*(?:e[-+]?\d+)?|0[ox][\da-f]+|null|~)$/i.test(name) ? `'${name}'` : name
}
