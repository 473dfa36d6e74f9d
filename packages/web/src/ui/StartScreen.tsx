import type { ReactNode } from 'react'
import { Logo } from './Logo.tsx'
import classes from './StartScreen.module.css'

/** Stands in for the app while it cannot be shown: the mark above one card, as at the sign-in page. */
export function StartScreen({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={classes.screen}>
      <div className={classes.middle}>
        <p className={classes.mark}>
          <Logo size={36} />
          Vitrine
        </p>
        <section className={classes.card}>
          <h1 className={classes.title}>{title}</h1>
          {children}
        </section>
      </div>
    </main>
  )
}
