import { isWebAddress } from '@vitrine/contract'
import type { ReactNode } from 'react'

type Props = { address: string; className?: string; children?: ReactNode }

/** An address in the web as a link, which tells the other site nothing; anything else is only text. */
export function WebLink({ address, className, children = address }: Props) {
  if (!isWebAddress(address)) return <span className={className}>{children}</span>
  return (
    <a
      href={address}
      target="_blank"
      rel="noopener noreferrer"
      title={address}
      className={className}
    >
      {children}
    </a>
  )
}
