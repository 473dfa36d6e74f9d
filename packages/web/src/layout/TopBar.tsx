import { Link, NavLink } from 'react-router'
import { LogoutButton } from '../auth/LogoutButton.tsx'
import { paths } from '../paths.ts'
import { Logo } from '../ui/Logo.tsx'
import { ColorSchemeButton } from './ColorSchemeButton.tsx'
import classes from './TopBar.module.css'

const links = [
  { to: paths.datasets(), label: 'Datasets' },
  { to: paths.repos(), label: 'Repos' },
  { to: paths.views(), label: 'Views' },
]

export function TopBar() {
  return (
    <header className={classes.bar}>
      <Link to={paths.root()} className={classes.home} aria-label="Vitrine, home">
        <Logo />
        <span className={classes.name}>Vitrine</span>
      </Link>
      <nav aria-label="Main" className={classes.nav}>
        {links.map(({ to, label }) => (
          <NavLink key={to} to={to} className={classes.link}>
            {label}
          </NavLink>
        ))}
      </nav>
      <div className={classes.end}>
        <ColorSchemeButton />
        <LogoutButton />
      </div>
    </header>
  )
}
