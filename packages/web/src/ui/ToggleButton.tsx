import { Button } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import classes from './ToggleButton.module.css'

/** Button that stays pressed while what it shows is shown. */
export function ToggleButton({
  label,
  Icon: Symbol,
  isPressed,
  onToggle,
}: {
  label: string
  Icon: Icon
  isPressed: boolean
  onToggle: () => void
}) {
  return (
    <Button
      variant="default"
      size="compact-md"
      className={classes.button}
      leftSection={<Symbol size={16} aria-hidden />}
      aria-pressed={isPressed}
      onClick={onToggle}
    >
      {label}
    </Button>
  )
}
