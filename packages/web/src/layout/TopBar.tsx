import { Link, matchPath, useLocation } from 'react-router'
import { ActionIcon, Button, useMantineColorScheme } from '@mantine/core'
import { IconDeviceDesktop, IconKey, IconMoon, IconSun, IconUser } from '@tabler/icons-react'
import { useAuth } from 'react-oidc-context'
import { PaletteButton } from '../palette/PaletteButton.tsx'
import { paths } from '../paths.ts'
import { Logo } from '../ui/Logo.tsx'
import classes from './TopBar.module.css'
import { useApp } from '../app-context.tsx'

/** The links of the bar, each with the addresses below which it is marked. */
const links = [
  { label: 'Datasets', below: [paths.datasets()] },
  { label: 'Repos', below: [paths.repos(), paths.addRepo()] },
  { label: 'Views', below: [paths.views(), paths.addView()] },
]

export function TopBar() {
  const { pathname } = useLocation()
  const isCurrent = (path: string) => matchPath({ path, end: false }, pathname) !== null
  return (
    <header className={classes.bar}>
      <Link to={paths.root()} className={classes.home} aria-label="Vitrine, home">
        <Logo />
        <span className={classes.name}>Vitrine</span>
      </Link>
      <nav aria-label="Main" className={classes.nav}>
        {links.map(({ label, below }) => (
          <Link
            key={label}
            to={below[0]!}
            className={classes.link}
            aria-current={below.some(isCurrent) ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className={classes.end}>
        <PaletteButton />
        <ColorSchemeButton />
        <AccountLink />
        <LogoutButton />
      </div>
    </header>
  )
}

/**
 * Leads to the provider's page about the account, where the server announces one: it leads on to the access
 * tokens. Otherwise it leads to these.
 */
function AccountLink() {
  const { accountUrl, features } = useApp()
  const { isAuthenticated } = useAuth()
  if (!isAuthenticated) return null
  if (accountUrl === undefined) {
    if (!features.includes('tokens')) return null
    return (
      <ActionIcon
        component={Link}
        to={paths.tokens()}
        variant="subtle"
        color="gray"
        size="lg"
        aria-label="Access tokens"
        title="Access tokens"
      >
        <IconKey size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
    )
  }
  return (
    <ActionIcon
      component="a"
      href={accountUrl}
      variant="subtle"
      color="gray"
      size="lg"
      aria-label="Account"
      title="Account"
    >
      <IconUser size={18} stroke={1.6} aria-hidden />
    </ActionIcon>
  )
}

function LogoutButton() {
  const { isAuthenticated, signoutRedirect } = useAuth()
  if (!isAuthenticated) return null
  return (
    <Button variant="default" size="compact-md" onClick={() => void signoutRedirect()}>
      Logout
    </Button>
  )
}

const schemes = {
  auto: { next: 'light', label: 'automatic', Icon: IconDeviceDesktop },
  light: { next: 'dark', label: 'light', Icon: IconSun },
  dark: { next: 'auto', label: 'dark', Icon: IconMoon },
} as const

function ColorSchemeButton() {
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
