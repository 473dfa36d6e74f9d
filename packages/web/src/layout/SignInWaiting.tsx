import classes from './SignInWaiting.module.css'

/** The frame of the app without anything to press, while it is not known who the user is. */
export function SignInWaiting() {
  return (
    <div aria-busy="true" className={classes.bar}>
      <p className={classes.text}>Signing in…</p>
    </div>
  )
}
