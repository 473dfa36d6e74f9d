import classes from './FormSkeleton.module.css'

const inputs = [0, 1, 2]

/** Stands where the inputs will be while the schema is on the way. */
export function FormSkeleton() {
  return (
    <div className={classes.form} aria-hidden>
      {inputs.map((index) => (
        <div key={index} className={classes.field}>
          <div className={classes.label} />
          <div className={classes.input} />
        </div>
      ))}
    </div>
  )
}
