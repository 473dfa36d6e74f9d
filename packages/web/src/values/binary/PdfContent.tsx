import { useLayoutEffect, useRef } from 'react'
import classes from './BinaryContent.module.css'

/**
 * A PDF is opened in a tab of its own, which knows nothing of this page. Its scripts may ask and tell in
 * dialogs, and a frame that could keep them out shows no PDF at all (docs/decisions/web.md).
 */
export function PdfContent({ blob, label }: { blob: Blob; label: string }) {
  const link = useRef<HTMLAnchorElement>(null)
  useLayoutEffect(() => {
    // Of this type it is never read as a page.
    const url = URL.createObjectURL(blob.slice(0, blob.size, 'application/pdf'))
    link.current!.href = url
    return () => URL.revokeObjectURL(url)
  }, [blob])
  return (
    <p className={classes.text}>
      {/* Its `href` is set above, once there is an address. */}
      {/* oxlint-disable-next-line jsx-a11y/anchor-is-valid */}
      <a ref={link} target="_blank" rel="noopener noreferrer">
        Open {label} in a new tab
      </a>
    </p>
  )
}
