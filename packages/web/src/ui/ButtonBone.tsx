import classes from './ButtonSkeleton.module.css'

/** Stands for a button of which it is not known yet whether it will be there. */
export function ButtonBone() {
  return <span className={classes.bone} aria-hidden />
}
