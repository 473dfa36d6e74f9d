import { ActionIcon, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react'

const schemes = {
  auto: { next: 'light', label: 'automatic', Icon: IconDeviceDesktop },
  light: { next: 'dark', label: 'light', Icon: IconSun },
  dark: { next: 'auto', label: 'dark', Icon: IconMoon },
} as const

export function ColorSchemeButton() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const { next, label, Icon } = schemes[colorScheme]
  const text = `Colour scheme: ${label}. Change to ${schemes[next].label}`
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={text}
      title={text}
      onClick={() => setColorScheme(next)}
    >
      <Icon size={18} stroke={1.6} aria-hidden />
    </ActionIcon>
  )
}
