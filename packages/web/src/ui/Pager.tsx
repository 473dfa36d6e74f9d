import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import type { MouseEvent, ReactNode } from 'react'
import { type To, Link, useLocation, useNavigate } from 'react-router'
import classes from './Pager.module.css'
import {
  type AllEntries,
  hasManyPages,
  hasNext,
  lastPageOf,
  pageSearch,
  showsPager,
} from './paging.ts'
import { PageJump } from './PageJump.tsx'
import { opensElsewhere, useStepQueue } from './use-step-queue.ts'

type Props = {
  page: number
  /** Entries on this page, once known. */
  entries: number | undefined
  /** Says that it will be known how many. */
  isLoading: boolean
  pageSize: number
  /** Entries on all pages, where known. */
  total?: string | undefined
  /** Shows a field to jump to a page. */
  all?: AllEntries | undefined
}

export function Pager({ page, entries, isLoading, pageSize, total, all }: Props) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const addressOf = (step: number) => ({ pathname, search: pageSearch(search, page + step) })
  const isLast = !isLoading && !hasNext({ page, entries, pageSize })
  const { go } = useStepQueue<number>({
    place: pathname + search,
    leads: (step) => (step < 0 ? page > 0 : isLoading ? undefined : !isLast),
    take: (step) => void navigate(addressOf(step)),
  })
  const onClick = (step: number) => (event: MouseEvent) => {
    if (opensElsewhere(event)) return
    event.preventDefault()
    go(step)
  }
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
      <PageLink to={page > 0 ? addressOf(-1) : undefined} rel="prev" onClick={onClick(-1)}>
        <IconChevronLeft size={16} aria-hidden />
        Prev
      </PageLink>
      <PageLink
        to={isLast ? undefined : addressOf(1)}
        isLoading={isLoading}
        rel="next"
        onClick={onClick(1)}
      >
        Next
        <IconChevronRight size={16} aria-hidden />
      </PageLink>
    </nav>
  )
}

type PageLinkProps = {
  /** Address of the page, where there is one. */
  to: To | undefined
  /** Says that it is not known yet if there is one: the link keeps the focus that it may have. */
  isLoading?: boolean
  rel: string
  onClick: (event: MouseEvent) => void
  children: ReactNode
}

function PageLink({ to, isLoading = false, rel, onClick, children }: PageLinkProps) {
  if (to === undefined) {
    return (
      // A link that leads nowhere for now is one without an address (HTML, "the a element").
      // oxlint-disable-next-line jsx-a11y/anchor-is-valid, jsx-a11y/no-redundant-roles
      <a role="link" aria-disabled="true" className={classes.link}>
        {children}
      </a>
    )
  }
  return (
    <Link
      to={to}
      rel={rel}
      className={classes.link}
      aria-disabled={isLoading || undefined}
      onClick={onClick}
    >
      {children}
    </Link>
  )
}

function count(value: number): string {
  return value.toLocaleString()
}
