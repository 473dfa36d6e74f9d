import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import { ReturnNotice } from '../auth/ReturnNotice.tsx'
import { SessionNotice } from '../auth/SessionNotice.tsx'
import { SignOutNotice } from '../auth/SignOutNotice.tsx'
import { isFocusStaying } from '../ui/kept-focus.ts'
import classes from './Shell.module.css'
import { TopBar } from './TopBar.tsx'

/** The frame of every page: the top bar, what concerns the whole app, and the page. */
export function Shell() {
  const { pathname, state: entry } = useLocation()
  const { state } = useNavigation()
  const isStaying = isFocusStaying(entry)
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  useEffect(() => {
    // A screen reader is told of a new page by focus, as it is on a page load.
    if (shown.current === pathname) return
    shown.current = pathname
    if (!isStaying) main.current?.focus({ preventScroll: true })
  }, [pathname, isStaying])

  return (
    <>
      <a href="#main" className={classes.skip}>
        Skip to content
      </a>
      <TopBar />
      <div className={classes.progress} data-active={state !== 'idle' || undefined} />
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <SessionNotice />
        <SignOutNotice />
        <ReturnNotice />
        <Outlet />
      </main>
      <ScrollRestoration />
    </>
  )
}
