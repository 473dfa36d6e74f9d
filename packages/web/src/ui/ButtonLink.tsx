import { Button, type ButtonProps } from '@mantine/core'
import type { MouseEvent, ReactNode, Ref } from 'react'
import { Link } from 'react-router'

type Props = Pick<ButtonProps, 'variant' | 'size' | 'leftSection' | 'color'> & {
  to: string
  /** Kept in the history beside the address. */
  state?: object | undefined
  ref?: Ref<HTMLAnchorElement>
  onFollow?: (event: MouseEvent) => void
  children: ReactNode
}

/** A link that looks like a button. */
export function ButtonLink({ to, state, ref, onFollow, children, ...look }: Props) {
  return (
    <Button component={Link} to={to} state={state} ref={ref} onClick={onFollow} {...look}>
      {children}
    </Button>
  )
}
