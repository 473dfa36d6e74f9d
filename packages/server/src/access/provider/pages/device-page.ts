import { html } from './html.ts'
import { page } from './page.ts'

/**
 * The form for the code that a program shows when it signs in; `error` says why the last code was
 * refused.
 */
export function devicePage({
  action,
  xsrf,
  code,
  error,
}: {
  /** Address that the form is sent to. */
  action: string
  /** The token against forged forms (CSRF). */
  xsrf: string
  /** The code typed before, or from the address. */
  code: string
  error?: string
}): string {
  const alert = html`<p class="error" role="alert" id="error">${error}</p>`
  const invalid = html`aria-invalid="true" aria-describedby="error"`
  return page({
    title: 'Sign in the command line',
    body: html`<section class="card">
      <h1>Sign in the command line</h1>
      <p class="note">
        <code>vitrine login --device</code> shows a code. Go on only if you have just started it,
        and if the code is the same.
      </p>
      ${error === undefined ? undefined : alert}
      <form method="post" action="${action}">
        <input type="hidden" name="xsrf" value="${xsrf}" />
        <input type="hidden" name="confirm" value="yes" />
        <label for="user_code">Code</label>
        <input
          class="typed-code"
          id="user_code"
          name="user_code"
          type="text"
          autocomplete="off"
          autocapitalize="characters"
          autocorrect="off"
          spellcheck="false"
          maxlength="20"
          required
          autofocus
          value="${code}"
          ${error === undefined ? undefined : invalid}
        />
        <button type="submit">Go on</button>
      </form>
    </section>`,
  })
}

export function deviceSignedInPage(): string {
  return page({
    title: 'Signed in',
    body: html`<section class="card">
      <h1>The command line is signed in</h1>
      <p>Close this tab and go back to the terminal.</p>
    </section>`,
  })
}
