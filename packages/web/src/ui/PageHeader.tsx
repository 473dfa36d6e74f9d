import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Breadcrumbs, type Crumb } from './Breadcrumbs.tsx'
import classes from './PageHeader.module.css'

type Props = {
  title: string
  /** The pages above this one, outermost first. */
  crumbs?: readonly Crumb[]
  /** Title of the document, where it is not the heading. */
  documentTitle?: string
  /** Text of the page among its crumbs, where the heading is content: that is kept on one line. */
  crumb?: string | undefined
  actions?: ReactNode
  /** The actions come with the data: what is below them stays in its place. */
  growing?: boolean
  children?: ReactNode
}

/** Heading, breadcrumbs and actions of a page; names the page in the document title too. */
export function PageHeader({
  title,
  crumbs,
  documentTitle,
  crumb,
  actions,
  children,
  growing = false,
}: Props) {
  const above = (crumbs ?? []).map(({ label }) => label).toReversed()
  useDocumentTitle([documentTitle ?? title, ...above, 'Vitrine'].join(' · '))
  return (
    <header className={classes.header}>
      {crumbs !== undefined && (
        <Breadcrumbs crumbs={crumbs} current={crumb ?? documentTitle ?? title} />
      )}
      <div className={classes.line}>
        <h1
          className={classes.title}
          data-content={crumb !== undefined || undefined}
          title={crumb === undefined ? undefined : title}
        >
          {crumb === undefined ? title : <span dir="auto">{title}</span>}
        </h1>
        {actions !== undefined && (
          <div className={classes.actions} data-growing={growing || undefined}>
            {actions}
          </div>
        )}
      </div>
      {children}
    </header>
  )
}
