import { UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ApiError } from '@vitrine/client'
import { IconSearch } from '@tabler/icons-react'
import { Suspense, useEffect, useLayoutEffect, useState } from 'react'
import { matchPath, useLocation } from 'react-router'
import { useApp } from '../app-context.tsx'
import classes from './PaletteButton.module.css'
import { commandKey, openedBy, type Opened } from './palette-keys.ts'
import { useRecentDatasets } from './use-recent-datasets.ts'
import { lazyPart } from '../ui/lazy-part.tsx'

const importPalette = async () => (await import('./Palette.tsx')).Palette
const AwaitedPalette = lazyPart(importPalette)
const Shortcuts = lazyPart(async () => (await import('./Shortcuts.tsx')).Shortcuts)

/** Opens the palette, as its keys do, where the server finds datasets. */
export function PaletteButton() {
  const { features } = useApp()
  return features.includes('search') ? <Opener /> : null
}

function Opener() {
  const [opened, setOpened] = useState<Opened>()
  // What React loads lazily shows only some time after it is there, and the first words typed would be lost.
  const [Palette, setPalette] = useState(() => AwaitedPalette)
  const here = useDatasetHere()
  const recent = useRecentDatasets()
  useEffect(() => {
    // Where it cannot be had, whoever opens the palette asks again.
    importPalette().then(
      (loaded) => setPalette(() => loaded),
      () => undefined,
    )
  }, [])
  // No later than the button can be seen.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const next = openedBy(event)
      if (next === undefined) return
      event.preventDefault()
      setOpened(next)
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
  const close = () => setOpened(undefined)
  return (
    <>
      <UnstyledButton
        className={classes.button}
        aria-label="Search and commands"
        aria-keyshortcuts="Control+K Meta+K"
        title="Search and commands"
        onClick={() => setOpened('palette')}
      >
        <IconSearch size={18} stroke={1.6} aria-hidden />
        <span className={classes.hint} data-key={`${commandKey} K`}>
          Search
        </span>
      </UnstyledButton>
      <Suspense>
        {opened === 'palette' && (
          <Palette
            recent={recent.names().filter((name) => name !== here)}
            here={here}
            onShortcuts={() => setOpened('shortcuts')}
            onClose={close}
          />
        )}
        {opened === 'shortcuts' && <Shortcuts onClose={close} />}
      </Suspense>
    </>
  )
}

/** The dataset of the screen, if it is of one; remembered once it is known that there is one. */
function useDatasetHere(): string | undefined {
  const { queries } = useApp()
  const { pathname } = useLocation()
  const recent = useRecentDatasets()
  const match = matchPath('/dataset/:name/*', pathname) ?? matchPath('/repo/:name/*', pathname)
  const here = match?.params.name
  // The screen asks; this only looks at what it was told.
  const { data, error } = useQuery({ ...queries.datasetGet(here ?? ''), enabled: false })
  const isThere = here !== undefined && data !== undefined
  const isGone = here !== undefined && error instanceof ApiError && error.status === 404
  useEffect(() => {
    if (isThere) recent.remember(here)
    else if (isGone) recent.forget(here)
  }, [recent, here, isThere, isGone])
  return here
}
