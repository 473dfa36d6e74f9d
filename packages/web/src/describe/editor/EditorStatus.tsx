import type { Help } from '../suggest/help-at.ts'
import type { ShownProblem } from './editor-problems.ts'
import classes from './YamlEditor.module.css'

const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)

type Props = {
  id: string
  problems: readonly ShownProblem[]
  /** On the word at the cursor. */
  help: Help | undefined
  onGoTo: (offset: number) => void
}

/**
 * One line below the text, always of the same height: what is wrong, what the word at the cursor
 * means, or which keys help.
 */
export function EditorStatus({ id, problems, help, onGoTo }: Props) {
  const [first] = problems
  const more = problems.length > 1 ? ` and ${problems.length - 1} more` : ''
  return (
    <div id={id} className={classes.status}>
      {/* Only problems are said unasked: what the cursor passes over would be too much. */}
      <div className={classes.alert} aria-live="polite">
        {first !== undefined && (
          <button type="button" className={classes.problem} onClick={() => onGoTo(first.from)}>
            Line {first.line}, column {first.column}: {first.reason}
            {more}
          </button>
        )}
      </div>
      {first === undefined && help !== undefined && (
        <span className={classes.keys}>
          <code>{help.label}</code> {help.note}
        </span>
      )}
      {first === undefined && help === undefined && (
        <span className={classes.keys}>
          <kbd>Ctrl Space</kbd> suggests, <kbd>{isMac ? '⌘ Enter' : 'Ctrl Enter'}</kbd> submits,{' '}
          <kbd>Tab</kbd> leaves
        </span>
      )}
    </div>
  )
}
