import { useEffect, useState } from 'react'
import { Link, useLocation } from 'react-router'
import { Notice } from '../ui/Notice.tsx'
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

const lists: Readonly<Record<string, string>> = {
  '/dataset': 'Datasets',
  '/repo': 'Repos',
  '/view': 'Views',
  '/token': 'Tokens',
  '/audit': 'Audit',
  '/addrepo': 'Add Repository',
  '/addview': 'Add View',
}

/** Names of the pages below a dataset or a repository, by the last part of their path. */
const pages: Readonly<Record<string, (name: string) => string>> = {
  item: (name) => `the items of ${name}`,
  summary: (name) => `the summary of ${name}`,
  additem: (name) => `Add Item of ${name}`,
  import: (name) => `Import of ${name}`,
  addfiles: (name) => `Add many files of ${name}`,
  edit: (name) => `the fields of ${name}`,
}

/** Names the page of a path in words; one that is unknown by its path. */
export function placeName(path: string): string {
  const [place = '', query = ''] = decoded(path).split(/[?#]/)
  const trimmed = place.replace(/\/$/, '')
  const list = lists[trimmed]
  if (list !== undefined) return list
  const [, , name, page, itemId] = trimmed.split('/')
  if (name === undefined || !/^\/(?:dataset|repo)\//.test(trimmed)) return trimmed
  if (page === undefined) return name
  if (itemId !== undefined) return `item ${itemId} of ${name}`
  const narrowed = /(?:^|&)(?:where|q)=/.test(query) ? ', filtered' : ''
  return `${pages[page]?.(name) ?? trimmed}${narrowed}`
}

function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
