import { forEachDiagnostic } from '@codemirror/lint'
import type { EditorState } from '@codemirror/state'

/** A problem that is underlined in the editor; line and column count from 1. */
export type ShownProblem = {
  from: number
  line: number
  column: number
  reason: string
}

/** Lists the underlined problems, in the order of the text. */
export function shownProblems(state: EditorState): ShownProblem[] {
  const problems: ShownProblem[] = []
  forEachDiagnostic(state, ({ message }, from) => {
    const line = state.doc.lineAt(from)
    problems.push({
      from,
      line: line.number,
      column: from - line.from + 1,
      reason: message,
    })
  })
  return problems.toSorted((a, b) => a.from - b.from)
}
