import { ActionIcon } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconChevronDown, IconChevronUp, IconX, type TablerIcon } from '@tabler/icons-react'
import { type Exploration, itemLabel } from '@vitrine/contract'
import { useEffect, useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import { useApp } from '../../../app-context.tsx'
import { foundAmong } from '../../../explore/found-among.ts'
import { paths } from '../../../paths.ts'
import { ButtonLink } from '../../../ui/ButtonLink.tsx'
import { rowOf, rowSteps } from '../../../ui/row-keys.ts'
import { ItemFields } from '../../Item/ItemFields.tsx'
import { useItemVersions, VersionBanner } from '../../Item/ItemVersions.tsx'
import { TilePicture } from '../Gallery/TilePicture.tsx'
import { pictureFields } from '../picture-fields.ts'
import classes from './ItemPanel.module.css'

type Props = {
  datasetId: string
  itemId: string
  /** Goes to the item of the row before or after. */
  /** Filter, order and words of the items that it is among. */
  exploration: Exploration
  onStep: (step: 1 | -1) => void
  onClose: () => void
  /** Gives the focus to the row of the item. */
  focusRow: () => void
}

/** An item beside the table that it is in. Opened from a row it takes the focus, and gives it back as it closes. */
export function ItemPanel(props: Props) {
  const { datasetId, itemId, exploration, onStep, onClose, focusRow } = props
  const { queries, features } = useApp()
  const { data: info } = useQuery(queries.datasetGet(datasetId))
  const { data: item } = useQuery(queries.datasetItemGet(datasetId, itemId))
  const label = features.includes('labels') && info && item ? itemLabel(info, item) : undefined
  const { chain, isLoading } = useItemVersions(datasetId, { itemId, info })
  const picture = info && pictureFields(info).find(({ name }) => item?.data[name] !== undefined)
  const panel = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const latest = useRef({ onClose, focusRow })
  useLayoutEffect(() => {
    latest.current = { onClose, focusRow }
  })
  useLayoutEffect(() => {
    const element = panel.current!
    if (rowOf(document.activeElement) !== undefined) heading.current?.focus()
    // While it is still in the document: only then is it known where the focus is.
    return () => {
      if (element.contains(document.activeElement)) latest.current.focusRow()
    }
  }, [])
  useEffect(() => {
    const onKeyDown = ({ key, target, defaultPrevented }: globalThis.KeyboardEvent) => {
      const isOver = document.querySelector('dialog[open], :popover-open') !== null
      if (key !== 'Escape' || defaultPrevented || isOver || hasKeysOfItsOwn(target)) return
      latest.current.onClose()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event
    const isPlain = !(altKey || ctrlKey || metaKey || shiftKey)
    if (!isPlain || !Object.hasOwn(rowSteps, key) || hasKeysOfItsOwn(target)) return
    event.preventDefault()
    onStep(rowSteps[key]!)
  }
  return (
    // The keys go to the items of the rows beside it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={panel}
      className={classes.panel}
      aria-label={`Item ${itemId}`}
      onKeyDown={onKeyDown}
    >
      <header className={classes.header}>
        <h2 ref={heading} tabIndex={-1} aria-live="polite" title={label}>
          <span dir="auto">{label ?? `Item ${itemId}`}</span>
        </h2>
        <Action label="Close" Icon={IconX} run={onClose} />
      </header>
      <div className={classes.actions}>
        <ButtonLink
          to={paths.item(datasetId, itemId)}
          state={foundAmong(exploration)}
          variant="default"
          size="compact-md"
        >
          Open item
        </ButtonLink>
        <Action label="Item above" Icon={IconChevronUp} run={() => onStep(-1)} />
        <Action label="Item below" Icon={IconChevronDown} run={() => onStep(1)} />
      </div>
      {picture && (
        <TilePicture
          place={{ datasetId, itemId: Number(itemId), fieldName: picture.name }}
          mime={item?.integrity?.[picture.name]?.mime ?? picture.mime ?? ''}
          className={classes.picture}
        />
      )}
      {chain && <VersionBanner datasetId={datasetId} chain={chain} />}
      <ItemFields datasetId={datasetId} itemId={itemId} isAwaited={isLoading} />
    </section>
  )
}

function Action({ label, Icon, run }: { label: string; Icon: TablerIcon; run: () => void }) {
  return (
    <ActionIcon variant="default" size="1.875rem" aria-label={label} title={label} onClick={run}>
      <Icon size={16} aria-hidden />
    </ActionIcon>
  )
}

/** Whether an element takes keys itself: inputs and films. */
function hasKeysOfItsOwn(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('input, textarea, select, audio, video') !== null
  )
}
