import { Button, type ButtonProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'

type Props = Pick<ButtonProps, 'variant' | 'size' | 'leftSection' | 'color'> & {
  to: string
  children: ReactNode
}

/** A link that looks like a button. */
export function ButtonLink({ to, children, ...look }: Props) {
  return (
    <Button component={Link} to={to} {...look}>
      {children}
    </Button>
  )
}
