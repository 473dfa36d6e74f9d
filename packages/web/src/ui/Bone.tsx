import classes from './TextSkeleton.module.css'

/** Stands for a text that is on its way; `width` in characters. */
export function Bone({ width }: { width: number }) {
  return <span className={classes.bone} style={{ width: `${width}ch` }} aria-hidden />
}
