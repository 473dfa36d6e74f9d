import classes from './ButtonSkeleton.module.css'

/** Placeholder of a button that may or may not appear once the page is loaded. */
export function ButtonSkeleton() {
  return <span className={classes.skeleton} aria-hidden />
}
