import type { Action, Diagnostic } from '@codemirror/lint'
import type { Text } from '@codemirror/state'
import { parseDescription, type PlacedProblem } from '@vitrine/client/yaml'
import { emptyDescription, problemText, type Problem } from '@vitrine/contract'
import type { DescriptionKind } from '../description-kind.ts'
import type { DescriptionRefused } from '../submit-description.ts'
import type { DatasetLookup } from '../suggest/suggest.ts'
import { viewProblems } from '../view-problems.ts'

export type LintContext = {
  kind: DescriptionKind
  lookup: DatasetLookup
  /** The server's last refusal: its problems hold for as long as the text is the same. */
  refusal: DescriptionRefused | undefined
}

/** Everything that is wrong with a description, in the order of the text. */
export async function lintDescription(doc: Text, context: LintContext): Promise<Diagnostic[]> {
  const text = doc.toString()
  if (isBlank(text)) return []
  const { kind, lookup, refusal } = context
  const parsed = parseDescription(text)
  if (!parsed.ok) return toDiagnostics(parsed.problems)

  const checked = kind.check(parsed.value)
  const problems = checked.ok ? [] : checked.problems
  const diagnostics =
    kind.noun === 'view'
      ? [...problems.filter(isOfName), ...(await viewProblems(parsed.value, lookup))]
      : problems
  const refused = checked.ok && refusal?.text === text ? refusal.placed : []
  return toDiagnostics([...refused, ...diagnostics.map(parsed.place)])
}

function isOfName({ path }: Problem): boolean {
  return path[0] === 'name'
}

/** Whether nothing has been entered: no reproach is due before the first word. */
function isBlank(text: string): boolean {
  return text.trim() === '' || text.trim() === emptyDescription
}

function toDiagnostics(problems: readonly PlacedProblem[]): Diagnostic[] {
  return problems
    .map((problem) => ({
      from: problem.from,
      to: problem.to,
      severity: 'error' as const,
      message: problemText(problem),
      ...(problem.nearest !== undefined && { actions: [changeTo(problem.nearest)] }),
    }))
    .toSorted((a, b) => a.from - b.from)
}

/** The nearest name has no hyphen, where that turns an order around. */
function changeTo(name: string): Action {
  return {
    name: `Change to ${name}`,
    apply: (view, from, to) => {
      const hyphen = view.state.sliceDoc(from, from + 1) === '-' ? '-' : ''
      view.dispatch({ changes: { from, to, insert: hyphen + name } })
    },
  }
}
