import { ActionIcon, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconChevronLeft, IconChevronRight, IconMinus, IconPlus, IconX } from '@tabler/icons-react'
import {
  itemLabel,
  type DatasetInfo,
  type Exploration,
  type Item,
  type ShownField,
} from '@vitrine/contract'
import { useEffectEvent, useLayoutEffect } from 'react'
import { Link } from 'react-router'
import { useApp } from '../../../app-context.tsx'
import { paths } from '../../../paths.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { ErrorBox } from '../../../ui/ErrorBox.tsx'
import type { Loaded } from '../../../ui/Listing.tsx'
import { useNeighbours } from '../use-neighbours.ts'
import { useZoom } from './use-zoom.ts'
import classes from './Viewer.module.css'
import { ViewedPicture } from './ViewedPicture.tsx'

type Props = {
  datasetId: string
  info: DatasetInfo | undefined
  exploration: Exploration | undefined
  loaded: Loaded<Item>
  field: ShownField | undefined
  itemId: number
  goTo: (id: number, page: number) => void
  onClose: () => void
}

/** One picture as large as the window, with its caption, and the way to those beside it. */
export function Viewer({
  datasetId,
  info,
  exploration,
  loaded,
  field,
  itemId,
  goTo,
  onClose,
}: Props) {
  const { queries } = useApp()
  const neighbours = useNeighbours({ datasetId, exploration, loaded, itemId, goTo })
  const { stage, zoom, larger, smaller, reset, onKey: onZoomKey } = useZoom(itemId)
  const ofPage = loaded.rows?.find(({ id }) => id === itemId)
  // A link may lead to an item that is not on the page any more.
  const alone = useQuery({
    ...queries.datasetItemGet(datasetId, itemId),
    enabled: loaded.rows !== undefined && !loaded.stale && ofPage === undefined,
  })
  const item = ofPage ?? alone.data
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    // What is typed in a dialog above this one is meant for that.
    if (ctrlKey || metaKey || altKey || (target as Element).closest('input, textarea')) return
    if (onZoomKey(event)) event.preventDefault()
    else if (key === 'ArrowLeft') neighbours.go(-1)
    else if (key === 'ArrowRight') neighbours.go(1)
  })
  // At the window: a click on the picture takes the focus from the dialog's buttons. Before the picture is seen:
  // a key that is pressed at once is not lost.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
  const close = () => {
    neighbours.drop()
    onClose()
  }
  const caption = (info && item && itemLabel(info, item)) ?? `Item ${itemId}`
  const error = item === undefined ? alone.error : neighbours.error
  return (
    <Dialog title={caption} isWhole onClose={close}>
      <div className={classes.viewer}>
        <div className={classes.bar}>
          <IconButton
            label="Previous"
            Icon={IconChevronLeft}
            enabled={neighbours.can(-1)}
            onClick={() => neighbours.go(-1)}
          />
          <IconButton
            label="Next"
            Icon={IconChevronRight}
            enabled={neighbours.can(1)}
            onClick={() => neighbours.go(1)}
          />
          <span className={classes.zoom}>
            <IconButton label="Smaller" Icon={IconMinus} onClick={smaller} />
            <span className={classes.scale}>{Math.round(zoom.scale * 100)} %</span>
            <IconButton label="Larger" Icon={IconPlus} onClick={larger} />
            <Button variant="default" size="compact-md" onClick={reset}>
              Fit
            </Button>
          </span>
          <Link to={paths.item(datasetId, itemId)}>Item {itemId}</Link>
          <span className={classes.close}>
            <IconButton label="Close" Icon={IconX} onClick={close} />
          </span>
        </div>
        {error !== null && <ErrorBox error={error} />}
        <ViewedPicture
          datasetId={datasetId}
          itemId={itemId}
          field={field}
          item={item}
          caption={caption}
          stage={stage}
          zoom={zoom}
        />
      </div>
    </Dialog>
  )
}

type IconButtonProps = {
  label: string
  Icon: typeof IconX
  enabled?: boolean
  onClick: () => void
}

/** One that cannot be pressed keeps the focus that it may have. */
function IconButton({ label, Icon, enabled = true, onClick }: IconButtonProps) {
  return (
    <ActionIcon
      variant="default"
      size="1.875rem"
      aria-label={label}
      title={label}
      aria-disabled={!enabled || undefined}
      data-disabled={!enabled || undefined}
      onClick={onClick}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  )
}
