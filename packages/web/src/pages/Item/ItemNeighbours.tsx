import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Exploration } from '@vitrine/contract'
import { useLayoutEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { useApp } from '../../app-context.tsx'
import { foundAmong } from '../../explore/found-among.ts'
import { useCommands } from '../../palette/screen-commands.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/ButtonLink.tsx'
import { focusStays, isFocusStaying } from '../../ui/kept-focus.ts'
import hidden from '../../ui/visually-hidden.module.css'

type Props = {
  datasetId: string
  itemId: string
  asked: Exploration
  /** What the item that is shown is called. */
  title: string
}

type Beside = 'previous' | 'next'

/**
 * Links to the items before and after one, where it was found or else in its dataset. The focus stays on the link
 * that was followed, also where it leads no further.
 */
export function ItemNeighbours({ datasetId, itemId, asked, title }: Props) {
  const { queries } = useApp()
  const { data, isPlaceholderData } = useQuery({
    ...queries.datasetItemNeighbours(datasetId, itemId, asked),
    placeholderData: keepPreviousData,
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
  }))
  useCommands(
    beside.flatMap(({ label, to }) =>
      to === undefined || isPlaceholderData ? [] : [{ label, to }],
    ),
  )
  return (
    <>
      {beside.map(({ key, label, to, ref }) =>
        to === undefined ? (
          // Unlike one that is disabled, it keeps the focus.
          <Button key={key} ref={ref} variant="default" aria-disabled data-disabled>
            {label}
          </Button>
        ) : (
          <ButtonLink
            key={key}
            ref={ref}
            to={to}
            state={{ ...foundAmong(asked), ...focusStays }}
            onFollow={() => {
              followed.current = key
            }}
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
