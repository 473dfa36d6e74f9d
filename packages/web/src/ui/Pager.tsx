import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import classes from './Pager.module.css'
import { pageSearch } from './page-number.ts'
import { PageJump } from './PageJump.tsx'
import { hasManyPages, hasNext, lastPageOf, showsPager, type AllEntries } from './pager-rule.ts'

type Props = {
  page: number
  /** Entries on this page, once known. */
  entries: number | undefined
  pageSize: number
  /** Entries on all pages, where known. */
  total?: string | undefined
  /** Given where one goes to any page by its number. */
  all?: AllEntries | undefined
}

export function Pager({ page, entries, pageSize, total, all }: Props) {
  if (!showsPager({ page, entries, pageSize })) return null
  const first = page * pageSize + 1
  return (
    <nav aria-label="Pages" className={classes.pager}>
      <p className={classes.range}>
        {entries !== undefined && entries > 0
          ? `${count(first)}–${count(first + entries - 1)}`
          : `Page ${count(page + 1)}`}
        {entries !== undefined && entries > 0 && total !== undefined && (
          <span className={classes.total}> of {total}</span>
        )}
      </p>
      {all && hasManyPages(all, pageSize) && (
        <PageJump page={page} lastPage={lastPageOf(all, pageSize)} />
      )}
      <PageLink page={page - 1} enabled={page > 0} rel="prev">
        <IconChevronLeft size={16} aria-hidden />
        Prev
      </PageLink>
      <PageLink page={page + 1} enabled={hasNext({ page, entries, pageSize })} rel="next">
        Next
        <IconChevronRight size={16} aria-hidden />
      </PageLink>
    </nav>
  )
}

type PageLinkProps = { page: number; enabled: boolean; rel: string; children: ReactNode }

function PageLink({ page, enabled, rel, children }: PageLinkProps) {
  const { pathname, search } = useLocation()
  if (!enabled) {
    return (
      // A link that leads nowhere for now is one without an address (HTML, "the a element").
      // oxlint-disable-next-line jsx-a11y/anchor-is-valid, jsx-a11y/no-redundant-roles
      <a role="link" aria-disabled="true" className={classes.link}>
        {children}
      </a>
    )
  }
  return (
    <Link to={{ pathname, search: pageSearch(search, page) }} rel={rel} className={classes.link}>
      {children}
    </Link>
  )
}

function count(value: number): string {
  return value.toLocaleString()
}
