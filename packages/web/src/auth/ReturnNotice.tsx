import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { Notice } from '../ui/Notice.tsx'
import { forgetReturnPath, readReturnPath } from './return-path.ts'

/** After sign-in the user is at the site root; this offers the page asked for. */
export function ReturnNotice() {
  const { pathname } = useLocation()
  const [path, setPath] = useState(readReturnPath)
  if (path !== undefined && samePage(path, pathname)) setPath(undefined)
  useEffect(() => {
    if (path === undefined) forgetReturnPath()
  }, [path])

  if (path === undefined) return null
  return (
    <Notice onDismiss={() => setPath(undefined)}>
      Before signing in you asked for <Link to={path}>{decodedPath(path)}</Link>
    </Notice>
  )
}

function samePage(path: string, pathname: string): boolean {
  const [asked = ''] = path.split(/[?#]/)
  return asked.replace(/\/$/, '') === pathname.replace(/\/$/, '')
}

function decodedPath(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
