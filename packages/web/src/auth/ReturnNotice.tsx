import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { Notice } from '../ui/Notice.tsx'
import { placeName } from './place-name.ts'
import { forgetReturnPath, readReturnPath } from './return-path.ts'

const startPages = ['/', '/dataset/']

/** After sign-in the user is at the site root; this offers the page asked for. */
export function ReturnNotice() {
  const { pathname } = useLocation()
  const [path, setPath] = useState(readReturnPath)
  // Sign-in ends at the first of the lists: from any other page one has moved on.
  const hasMovedOn = !startPages.some((page) => samePage(page, pathname))
  if (path !== undefined && (hasMovedOn || samePage(path, pathname))) setPath(undefined)
  useEffect(() => {
    if (path === undefined) forgetReturnPath()
  }, [path])

  if (path === undefined) return null
  return (
    <Notice onDismiss={() => setPath(undefined)}>
      Before signing in you asked for <Link to={path}>{placeName(path)}</Link>
    </Notice>
  )
}

function samePage(path: string, pathname: string): boolean {
  const [plainPath = ''] = path.split(/[?#]/)
  return plainPath.replace(/\/$/, '') === pathname.replace(/\/$/, '')
}
