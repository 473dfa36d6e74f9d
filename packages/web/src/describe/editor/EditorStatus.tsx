import type { ShownProblem } from './editor-problems.ts'
import classes from './YamlEditor.module.css'

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** One line below the text, always of the same height: what is wrong, or which keys help. */
export function EditorStatus({
  id,
  problems,
  onGoTo,
}: {
  id: string
  problems: readonly ShownProblem[]
  onGoTo: (offset: number) => void
}) {
  const [first] = problems
  const more = problems.length > 1 ? ` and ${problems.length - 1} more` : ''
  return (
    <div id={id} className={classes.status} aria-live="polite">
      {first === undefined ? (
        <span className={classes.keys}>
          <kbd>Ctrl Space</kbd> suggests, <kbd>{isMac ? '⌘ Enter' : 'Ctrl Enter'}</kbd> submits,{' '}
          <kbd>Tab</kbd> leaves
        </span>
      ) : (
        <button
          type="button"
          className={classes.problem}
          data-severity={first.severity}
          onClick={() => onGoTo(first.from)}
        >
          Line {first.line}, column {first.column}: {first.reason}
          {more}
        </button>
      )}
    </div>
  )
}
