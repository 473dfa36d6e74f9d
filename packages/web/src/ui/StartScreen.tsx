import type { ReactNode } from 'react'
import { Logo } from './Logo.tsx'
import classes from './StartScreen.module.css'

/** What is shown when the app itself cannot be. */
export function StartScreen({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={classes.screen}>
      <div className={classes.card}>
        <Logo size={44} />
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  )
}
