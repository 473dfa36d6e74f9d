import { isWebAddress } from '@vitrine/contract'
import type { ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import rehypeSanitize from 'rehype-sanitize'
import remarkGfm from 'remark-gfm'
import classes from './Markdown.module.css'

/** Props of a box that scrolls, which must be in reach of the keyboard (WCAG 2.1.1). */
const scrolling = { tabIndex: 0, className: classes.scrolling }

/**
 * Headings stand below the one of their section. Pictures would be fetched from wherever the text says,
 * so a link stands for each. Links that are not to the web have nowhere to lead.
 */
const components: Components = {
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
  a: ({ href, children }) => <OutsideLink address={href}>{children}</OutsideLink>,
  img: ({ src, alt }) => (
    <OutsideLink address={src}>{alt === undefined || alt === '' ? 'picture' : alt}</OutsideLink>
  ),
  // Of a list of tasks.
  input: ({ checked }) => (checked === true ? '☑' : '☐'),
  pre: ({ children }) => (
    <section {...scrolling} aria-label="Code">
      <pre>{children}</pre>
    </section>
  ),
  table: ({ children }) => (
    <section {...scrolling} aria-label="Table">
      <table>{children}</table>
    </section>
  ),
}

/** Markdown by strangers: no HTML of theirs, nothing fetched, and links that tell the other site nothing. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className={classes.markdown} dir="auto">
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[rehypeSanitize]}
        components={components}
      >
        {text}
      </ReactMarkdown>
    </div>
  )
}

type OutsideLinkProps = { address: string | undefined; children: ReactNode }

function OutsideLink({ address, children }: OutsideLinkProps) {
  if (address === undefined || !isWebAddress(address)) return <span>{children}</span>
  return (
    <a href={address} target="_blank" rel="noopener noreferrer nofollow" title={address}>
      {children}
    </a>
  )
}
