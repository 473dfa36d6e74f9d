import { Link } from 'react-router'
import classes from './LinkList.module.css'

/** Links one below the other, or that there are none. */
export function LinkList({ links }: { links: readonly { label: string; to: string }[] }) {
  if (links.length === 0) return <p className={classes.none}>none</p>
  return (
    <ul className={classes.list}>
      {links.map(({ label, to }) => (
        <li key={to}>
          <Link to={to}>{label}</Link>
        </li>
      ))}
    </ul>
  )
}
