import classes from './PageLoading.module.css'

/** Stands where a page's heading and table will be while its code is on the way. */
export function PageLoading() {
  return (
    <div aria-hidden>
      <div className={classes.title} />
      <div className={classes.table} />
    </div>
  )
}
