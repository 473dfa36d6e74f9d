import '@mantine/core/styles/Input.css'
import { Button } from '@mantine/core'
import { exportFormats, type Exploration, type ExportFormat } from '@vitrine/contract'
import { useState } from 'react'
import { useApp } from '../app-context.tsx'
import { ButtonRow } from '../ui/ButtonRow.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ErrorBox } from '../ui/ErrorBox.tsx'
import { showBytes, showItems } from '../ui/show-amounts.ts'
import classes from './ExportDialog.module.css'
import { explorationText } from './exploration-text.ts'
import { exportKinds, offeredFormats } from './export-kinds.ts'
import { ExtentChoice } from './ExtentChoice.tsx'
import { Snippet } from './Snippet.tsx'
import { useExport, type ExportProgress as Progress } from './use-export.ts'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { bytesPerSecond } from '../data/transfer-rate.ts'

type Props = {
  datasetId: string
  /** Exploration on the screen, which may be exported instead of all items. */
  exploration: Exploration
  onClose: () => void
}

const nothing: Exploration = {}

/** Saves a dataset as a file, in one of the formats of exports, or shows how to load it. */
export function ExportDialog({ datasetId, exploration: shown, onClose }: Props) {
  const isExplored = explorationText(shown) !== ''
  const [isWhole, setWhole] = useState(!isExplored)
  const exploration = isWhole ? nothing : shown
  const { features } = useApp()
  const formats = offeredFormats.filter((each) => {
    const { feature } = exportFormats[each]
    return (
      (feature === undefined || features.includes(feature)) &&
      (isWhole || exportKinds[each].isWhole !== true)
    )
  })
  const [chosen, setFormat] = useState<ExportFormat>('csv')
  const format = formats.includes(chosen) ? chosen : 'csv'
  const kind = exportKinds[format]
  const [guard, setGuard] = useState(false)
  const [integrity, setIntegrity] = useState(false)
  const saving = useExport(datasetId)
  /** Wraps a setter: another choice clears the result of the last export. */
  const change =
    <Value,>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value)
      saving.reset()
    }
  return (
    <Dialog title={`Export ${datasetId}`} onClose={onClose}>
      {isExplored && (
        <ExtentChoice
          datasetId={datasetId}
          exploration={shown}
          isWhole={isWhole}
          onChange={change(setWhole)}
          disabled={saving.isPending}
        />
      )}
      <fieldset className={classes.formats} disabled={saving.isPending}>
        <legend>Format</legend>
        {formats.map((each) => (
          <label key={each} className={classes.format}>
            <input
              type="radio"
              name="format"
              checked={each === format}
              onChange={() => change(setFormat)(each)}
            />
            <span>
              <span className={classes.label}>{exportKinds[each].label}</span>{' '}
              <span className={classes.about}>{exportKinds[each].about}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <fieldset className={classes.options} disabled={saving.isPending} aria-label="Options">
        <Option applies={kind.guards === true} checked={guard} onChange={change(setGuard)}>
          For Excel: marked as UTF-8, and with a ' before possible formulas
        </Option>
        <Option applies={kind.digests === true} checked={integrity} onChange={change(setIntegrity)}>
          With digests, so that an import checks every value and reference
        </Option>
      </fieldset>
      {saving.isPending && <ExportProgress progress={saving.progress} />}
      {saving.data !== undefined && (
        <output className={classes.done}>
          Saved{saving.data.rows > 0 && ` ${showItems(saving.data.rows)}`},{' '}
          {showBytes(saving.data.bytes)}
        </output>
      )}
      {saving.error !== null && <ErrorBox error={saving.error} hint="No file was kept." />}
      <ButtonRow>
        {saving.isPending ? (
          <Button variant="default" onClick={saving.cancel}>
            Cancel
          </Button>
        ) : (
          <Button onClick={() => saving.mutate({ format, guard, integrity, exploration })}>
            Download
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </ButtonRow>
      <Snippet datasetId={datasetId} exploration={exploration} />
    </Dialog>
  )
}

type OptionProps = {
  /** Whether the format has it; its place is kept where it has not, so that the formats stay in theirs. */
  applies: boolean
  checked: boolean
  onChange: (checked: boolean) => void
  children: string
}

function Option({ applies, checked, onChange, children }: OptionProps) {
  return (
    <label className={classes.option} data-absent={!applies || undefined}>
      <input
        type="checkbox"
        checked={checked}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{children}</span>
    </label>
  )
}

/** How far a download is: by rows where they are counted, else by bytes, whose end is not known. */
function ExportProgress({ progress }: { progress: Progress }) {
  const { bytes, rows, totalRows, rate } = progress
  const speed = bytesPerSecond(rate)
  return (
    <ProgressBar label="Saved" done={rows} total={totalRows}>
      {rows > 0 && `${rows.toLocaleString()} of ${totalRows.toLocaleString()} items, `}
      {showBytes(bytes)}
      {speed !== undefined && `, ${showBytes(speed)}/s`}
    </ProgressBar>
  )
}
