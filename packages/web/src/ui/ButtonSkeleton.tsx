import { Button, type ButtonProps } from '@mantine/core'
import classes from './ButtonSkeleton.module.css'

type Props = Pick<ButtonProps, 'leftSection'> & { label: string }

/** Placeholder of a button that may or may not appear once the page is loaded, as wide as it. */
export function ButtonSkeleton({ label, leftSection }: Props) {
  return (
    <Button component="span" className={classes.skeleton} leftSection={leftSection} aria-hidden>
      {label}
    </Button>
  )
}
