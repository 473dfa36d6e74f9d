import { html, type Html } from './html.ts'

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
