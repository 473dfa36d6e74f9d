import { html } from './html.ts'
import { page } from './page.ts'

export type SignsIn = 'the app' | 'the command line' | 'the command line elsewhere'

/** The sign-in page; again, with what was wrong, after an attempt that failed. */
export function signInPage({
  action,
  signsIn,
  username,
  error,
}: {
  /** Address that the form is sent to. */
  action: string
  /** The command line is here, or `elsewhere` where it showed a code. */
  signsIn: SignsIn
  /** The name typed before. */
  username?: string
  error?: string
}): string {
  const where = signsIn === 'the command line' ? 'on this computer' : 'that shows the code'
  const note = html`<p class="note">
    This signs in the <code>vitrine</code> command ${where}. Go on only if you have just started it.
  </p>`
  const retry = error !== undefined
  const alert = html`<p class="error" role="alert" id="error">${error}</p>`
  const invalid = html`aria-invalid="true" aria-describedby="error"`
  const focus = html`autofocus`
  return page({
    title: 'Sign in',
    body: html`<section class="card">
      <h1>Sign in</h1>
      ${signsIn === 'the app' ? undefined : note} ${retry ? alert : undefined}
      <form method="post" action="${action}">
        <label for="username">Username</label>
        <input
          id="username"
          name="username"
          type="text"
          autocomplete="username"
          autocapitalize="none"
          autocorrect="off"
          spellcheck="false"
          maxlength="64"
          required
          value="${username}"
          ${retry ? invalid : focus}
        />
        <label for="password">Password</label>
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          maxlength="256"
          required
          ${retry ? html`${invalid} ${focus}` : undefined}
        />
        <button type="submit">Sign in</button>
      </form>
    </section>`,
  })
}
