import classes from './Logo.module.css'

/** A piece under the glass of a display case. */
export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg
      viewBox="0 0 32 32"
      width={size}
      height={size}
      fill="none"
      aria-hidden
      className={classes.logo}
    >
      <path d="M7 21V9a5 5 0 0 1 5-5h8a5 5 0 0 1 5 5v12" className={classes.line} strokeWidth="2" />
      <path d="m16 9.5 4 4.6-4 5.4-4-5.4z" className={classes.piece} />
      <path d="M10.6 11.2a3.6 3.6 0 0 1 3-3.6" className={classes.line} strokeWidth="1.6" />
      <path
        d="M5 21.5h22v2a1.5 1.5 0 0 1-1.5 1.5h-19A1.5 1.5 0 0 1 5 23.5zM8 27h16v1.5H8z"
        className={classes.stand}
      />
    </svg>
  )
}
