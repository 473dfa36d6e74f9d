import { Button } from '@mantine/core'
import type { ImportState } from '@vitrine/contract'
import { ButtonRow } from '../../ui/ButtonRow.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { showBytes } from '../../ui/show-amounts.ts'
import { Timestamp } from '../../ui/Time.tsx'
import classes from './ImportScreen.module.css'

type Props = {
  file: File
  /** An import of this file that was interrupted. */
  earlier: ImportState
  onResume: (earlier: ImportState) => void
  onStartOver: () => void
}

/** Offers to go on with what was interrupted, as by a reload. */
export function ResumeOffer({ file, earlier, onResume, onStartOver }: Props) {
  return (
    <Panel label="An import that was interrupted">
      <p>
        <span className={classes.name}>{file.name}</span> has been on its way since{' '}
        <Timestamp iso={earlier.createdAt} />: {showBytes(earlier.receivedBytes)} of{' '}
        {showBytes(file.size)} have arrived and need not be sent again.
      </p>
      <ButtonRow>
        <Button onClick={() => onResume(earlier)}>Go on</Button>
        <Button variant="default" onClick={onStartOver}>
          Start over
        </Button>
      </ButtonRow>
    </Panel>
  )
}
