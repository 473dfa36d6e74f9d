import { ActionIcon } from '@mantine/core'
import type { TablerIcon } from '@tabler/icons-react'
import classes from './LookChoice.module.css'

type Props<Look extends string> = {
  looks: readonly { look: Look; name: string; Icon: TablerIcon }[]
  chosen: Look
  onChoose: (look: Look) => void
  size: string
}

/** Buttons for the ways in which a list can be shown, one of which is pressed. */
export function LookChoice<Look extends string>({ looks, chosen, onChoose, size }: Props<Look>) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div role="group" aria-label="Layout" className={classes.looks}>
      {looks.map(({ name, look, Icon }) => (
        <ActionIcon
          key={look}
          variant="default"
          className={classes.look}
          size={size}
          aria-label={name}
          title={name}
          aria-pressed={look === chosen}
          onClick={() => onChoose(look)}
        >
          <Icon size={18} aria-hidden />
        </ActionIcon>
      ))}
    </div>
  )
}
