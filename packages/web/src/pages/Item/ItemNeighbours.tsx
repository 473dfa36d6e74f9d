import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Exploration } from '@vitrine/contract'
import { useLayoutEffect, useRef, type MouseEvent } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { foundAmong } from '../../explore/found-among.ts'
import { useCommands } from '../../palette/screen-commands.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { focusStays, isFocusStaying } from '../../ui/kept-focus.ts'
import { opensElsewhere, useStepQueue } from '../../ui/use-step-queue.ts'
import hidden from '../../ui/visually-hidden.module.css'

type Props = {
  datasetId: string
  itemId: string
  exploration: Exploration
  /** Title of the item that is shown. */
  title: string
}

type Beside = 'previous' | 'next'

/**
 * Links to the items before and after one, where it was found or else in its dataset. The focus stays on the link
 * that was followed, also where it leads no further.
 */
export function ItemNeighbours({ datasetId, itemId, exploration, title }: Props) {
  const { queries } = useApp()
  const { data, error, isPlaceholderData } = useQuery({
    ...queries.datasetItemNeighbours(datasetId, itemId, exploration),
    placeholderData: keepPreviousData,
  })
  const navigate = useNavigate()
  const state = { ...foundAmong(exploration), ...focusStays }
  const isLoading = isPlaceholderData || (data === undefined && error === null)
  const { go } = useStepQueue<Beside>({
    place: paths.item(datasetId, itemId),
    leads: (step) => (isLoading ? undefined : data?.[step] !== undefined),
    take: (step) => void navigate(paths.item(datasetId, data![step]!), { state }),
  })
  const isFollowed = isFocusStaying(useLocation().state)
  const followed = useRef<Beside>(undefined)
  const controls = useRef(new Map<Beside, HTMLElement | null>())
  useLayoutEffect(() => {
    // A link that leads no further is another element.
    if (followed.current !== undefined && document.activeElement === document.body) {
      controls.current.get(followed.current)?.focus({ preventScroll: true })
    }
  })
  const beside = (['previous', 'next'] as const).map((key) => ({
    key,
    label: key === 'previous' ? 'Previous item' : 'Next item',
    to: data?.[key] === undefined ? undefined : paths.item(datasetId, data[key]),
    ref: (control: HTMLElement | null) => {
      controls.current.set(key, control)
    },
    // Until this item's neighbours are known, the link leads to one of the item before.
    onFollow: (event: MouseEvent) => {
      if (opensElsewhere(event)) return
      event.preventDefault()
      followed.current = key
      go(key)
    },
  }))
  useCommands(
    beside.flatMap(({ label, to }) =>
      to === undefined || isPlaceholderData ? [] : [{ label, to }],
    ),
  )
  return (
    <>
      {beside.map(({ key, label, to, ref, onFollow }) =>
        to === undefined ? (
          // Unlike one that is disabled, it keeps the focus.
          <Button
            key={key}
            ref={ref}
            variant="default"
            aria-disabled
            data-disabled
            onClick={onFollow}
          >
            {label}
          </Button>
        ) : (
          <ButtonLink
            key={key}
            ref={ref}
            to={to}
            state={state}
            onFollow={onFollow}
            variant="default"
          >
            {label}
          </ButtonLink>
        ),
      )}
      <output className={hidden.visuallyHidden}>{isFollowed && title}</output>
    </>
  )
}
