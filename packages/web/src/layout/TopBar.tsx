import { Link, matchPath, useLocation } from 'react-router'
import { LogoutButton } from '../auth/LogoutButton.tsx'
import { paths } from '../paths.ts'
import { Logo } from '../ui/Logo.tsx'
import { ColorSchemeButton } from './ColorSchemeButton.tsx'
import classes from './TopBar.module.css'

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
        <ColorSchemeButton />
        <LogoutButton />
      </div>
    </header>
  )
}
