import { isWebAddress, plainText } from '@vitrine/contract'
import type { ReactNode } from 'react'
import { MarkedText } from '../ui/MarkedText.tsx'
import cellClasses from './TextCell.module.css'
import type { CellValue, ShownValue } from './value.ts'
import type { EditProps } from './entry.ts'
import { EditLine } from './EditLine.tsx'
import textClasses from './ShowText.module.css'

export function UrlCell({ value, words }: CellValue) {
  const address = plainText(value)
  return (
    <WebLink address={address} className={cellClasses.text}>
      <MarkedText text={address} words={words} />
    </WebLink>
  )
}

export function EditUrl(props: EditProps<string>) {
  return <EditLine {...props} takes="a web address" placeholder="https://example.org/" />
}

export function ShowUrl({ value }: ShownValue) {
  return (
    <p className={textClasses.text}>
      <WebLink address={plainText(value)} />
    </p>
  )
}

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
