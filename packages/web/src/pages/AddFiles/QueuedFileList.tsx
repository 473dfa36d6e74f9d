import { Button } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCircle,
  IconCircleCheck,
  IconCircleDot,
  IconFingerprint,
} from '@tabler/icons-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { showBytes } from '../../ui/show-amounts.ts'
import { WindowedList } from '../../ui/WindowedList.tsx'
import type { FileQueue, FileState, QueuedFile } from './file-queue.ts'
import classes from './QueuedFileList.module.css'

type StateName = FileState['is']

const icons: Record<StateName, typeof IconCircle> = {
  waiting: IconCircle,
  hashing: IconFingerprint,
  sending: IconCircleDot,
  done: IconCircleCheck,
  refused: IconAlertTriangle,
}

type Group = {
  label: string
  states: readonly StateName[]
  /** Rows with room for a whole reason, where one comes to read it. */
  tall?: true
}

const groups: Group[] = [
  { label: 'All', states: ['waiting', 'hashing', 'sending', 'done', 'refused'] },
  { label: 'Refused', states: ['refused'], tall: true },
  { label: 'In flight', states: ['hashing', 'sending'] },
  { label: 'Waiting', states: ['waiting'] },
  { label: 'Done', states: ['done'] },
]

/** In pixels, with how many of these rows are in view. */
const usualRows = { rowHeight: 44, rowsInView: 10 }
const tallRows = { rowHeight: 76, rowsInView: 6 }

/** Every file with its state; those of one state, if asked for. */
export function QueuedFileList({ repo, queue }: { repo: string; queue: FileQueue }) {
  const [shown, setShown] = useState(groups[0]!)
  const files =
    shown === groups[0]
      ? queue.files
      : queue.files.filter(({ state }) => shown.states.includes(state.is))
  return (
    <div className={classes.listing}>
      <fieldset aria-label="Show files" className={classes.groups}>
        {groups.map((group) => (
          <button
            key={group.label}
            type="button"
            className={classes.group}
            aria-pressed={group === shown}
            onClick={() => setShown(group)}
          >
            {group.label}{' '}
            <span className={classes.count}>
              {group.states.reduce((sum, state) => sum + queue.counts[state], 0).toLocaleString()}
            </span>
          </button>
        ))}
      </fieldset>
      {files.length === 0 ? (
        <p className={classes.none}>No file is in this state.</p>
      ) : (
        <WindowedList
          key={shown.label}
          label="Files"
          count={files.length}
          {...(shown.tall ? tallRows : usualRows)}
          rowKey={(index) => files[index]!.index}
        >
          {(index) => (
            <Entry
              repo={repo}
              queued={files[index]!}
              tall={shown.tall}
              onRetry={(file) => queue.retry([file])}
            />
          )}
        </WindowedList>
      )}
    </div>
  )
}

type EntryProps = {
  repo: string
  queued: QueuedFile
  tall: true | undefined
  onRetry: (queued: QueuedFile) => void
}

function Entry({ repo, queued, tall, onRetry }: EntryProps) {
  const { path, file, state } = queued
  const Icon = icons[state.is]
  return (
    <div className={classes.entry} data-state={state.is} data-tall={tall}>
      <Icon size={18} aria-hidden className={classes.icon} />
      <span className={classes.path} title={path}>
        {path}
      </span>
      <span className={classes.size}>{showBytes(file.size)}</span>
      <span className={classes.state} title={state.is === 'refused' ? state.reason : undefined}>
        {state.is === 'refused' ? `refused: ${state.reason}` : stateText(queued)}
      </span>
      <span className={classes.action}>
        {state.is === 'done' && state.itemId !== undefined && (
          <Link to={paths.item(repo, state.itemId)} target="_blank">
            show
          </Link>
        )}
        {state.is === 'refused' && (
          <Button
            variant="default"
            size="compact-sm"
            aria-label={`Retry ${path}`}
            onClick={() => onRetry(queued)}
          >
            Retry
          </Button>
        )}
      </span>
    </div>
  )
}

function stateText({ file, state }: QueuedFile): string {
  if (state.is === 'sending' && file.size > 0) {
    return `sending, ${Math.floor((state.sentBytes / file.size) * 100)}%`
  }
  return state.is === 'done' && state.itemId === undefined ? 'done before' : state.is
}
