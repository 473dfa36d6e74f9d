import classes from './TextSkeleton.module.css'

/** Placeholder of a text that is being loaded; `width` in characters. */
export function TextSkeleton({ width }: { width: number }) {
  return <span className={classes.skeleton} style={{ width: `${width}ch` }} aria-hidden />
}
