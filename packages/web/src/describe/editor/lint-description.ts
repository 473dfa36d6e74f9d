import type { Action, Diagnostic } from '@codemirror/lint'
import type { Text } from '@codemirror/state'
import { checkParsed, parseDescription, type PlacedProblem } from '@vitrine/client/yaml'
import {
  checkView,
  checkViewDescription,
  emptyDescription,
  schemaField,
  unknownName,
  withSchemas,
  type DatasetInfo,
  type Problem,
  type SchemaField,
} from '@vitrine/contract'
import type { DescriptionKind } from '../description-kind.ts'
import { problemText } from '../problem-text.ts'
import type { DescriptionRefused } from '../submit-description.ts'
import type { DatasetLookup } from '../suggest/suggest.ts'

export type LintContext = {
  kind: DescriptionKind
  lookup: DatasetLookup
  /** What the server last refused: its problems hold for as long as the text is the same. */
  refusal: DescriptionRefused | undefined
}

/** Everything that is wrong with a description, in the order of the text. */
export async function lintDescription(doc: Text, context: LintContext): Promise<Diagnostic[]> {
  const text = doc.toString()
  if (isBlank(text)) return []
  const { kind, lookup, refusal } = context
  const checked = checkParsed(text, kind.check)
  if (!checked.ok) return toDiagnostics(checked.problems, 'error')

  const refused = refusal?.text === text ? refusal.placed : []
  const doubtful = kind.noun === 'view' ? await baseProblems(text, lookup) : []
  return [...toDiagnostics(refused, 'error'), ...toDiagnostics(doubtful, 'warning')]
}

/** Whether nothing has been entered: no reproach is due before the first word. */
function isBlank(text: string): boolean {
  return text.trim() === '' || text.trim() === emptyDescription
}

/** What the base of a view does not offer, as far as can be known before the server is asked. */
async function baseProblems(text: string, lookup: DatasetLookup): Promise<PlacedProblem[]> {
  const parsed = parseDescription(text)
  if (!parsed.ok) return []
  const view = checkViewDescription(parsed.value)
  if (!view.ok) return []
  const { base } = view.value
  const problems =
    (await lookup.info(base)) === undefined
      ? [unknownName(['base'], 'dataset', base, await lookup.names())]
      : await problemsWithBase(parsed.value, lookup)
  return problems.map(parsed.place)
}

async function problemsWithBase(view: unknown, lookup: DatasetLookup): Promise<Problem[]> {
  let known = true
  const checked = await withSchemas(
    (resolve) => checkView(view, resolve),
    async (dataset) => {
      const info = await lookup.info(dataset)
      const schema = info && knownSchema(info)
      known &&= schema !== undefined
      return schema
    },
  )
  return checked.ok || !known ? [] : checked.problems
}

/** Undefined when there is a field of an unknown type, as nothing is known of how it can be used. */
function knownSchema({ schema }: DatasetInfo): SchemaField[] | undefined {
  const fields = schema.map((field) => schemaField.safeParse(field))
  return fields.every((field) => field.success) ? fields.map(({ data }) => data) : undefined
}

function toDiagnostics(
  problems: readonly PlacedProblem[],
  severity: Diagnostic['severity'],
): Diagnostic[] {
  return problems
    .map((problem) => ({
      from: problem.from,
      to: problem.to,
      severity,
      message: problemText(problem),
      ...(problem.nearest !== undefined && { actions: [changeTo(problem.nearest)] }),
    }))
    .toSorted((a, b) => a.from - b.from)
}

function changeTo(name: string): Action {
  return {
    name: `Change to ${name}`,
    apply: (view, from, to) => view.dispatch({ changes: { from, to, insert: name } }),
  }
}
