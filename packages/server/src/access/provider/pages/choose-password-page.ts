import { type Html, html } from './html.ts'
import { page } from './page.ts'

/** Asks people who signed in with a generated password to choose their own. */
export function choosePasswordPage({
  action,
  username,
  accountId,
  ticket,
  error,
}: {
  /** Address that the form is sent to. */
  action: string
  username: string
  accountId: string
  /** A token that proves the current password was right (`sign-in-routes.ts`). */
  ticket: string
  error?: string
}): string {
  const alert = html`<p class="error" role="alert" id="error">${error}</p>`
  return page({
    title: 'Choose a password',
    body: html`<section class="card">
      <h1>Choose a password</h1>
      <p class="note">
        The password of <strong>${username}</strong> was made up for you. From now on use one of
        your own.
      </p>
      ${error === undefined ? undefined : alert}
      <form method="post" action="${action}">
        <input type="hidden" name="account" value="${accountId}" />
        <input type="hidden" name="ticket" value="${ticket}" />
        <input
          name="username"
          type="text"
          autocomplete="username"
          value="${username}"
          readonly
          hidden
        />
        ${newPasswordFields({ error: error && 'error' })}
        <button type="submit">Save and sign in</button>
      </form>
    </section>`,
  })
}

/** The two fields for a new password; `error` is the id of what says what is wrong with it. */
export function newPasswordFields({ error }: { error?: string | undefined } = {}): Html {
  const invalid = error && html`aria-invalid="true" aria-describedby="${error}"`
  return html`<label for="new_password">New password</label>
    <input
      id="new_password"
      name="new_password"
      type="password"
      autocomplete="new-password"
      minlength="8"
      maxlength="256"
      required
      ${invalid}
    />
    <label for="again">New password, once more</label>
    <input
      id="again"
      name="again"
      type="password"
      autocomplete="new-password"
      minlength="8"
      maxlength="256"
      required
      ${invalid}
    />`
}
