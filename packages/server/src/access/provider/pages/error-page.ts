import { html } from './html.ts'
import { page } from './page.ts'

/** Shows an OAuth error (RFC 6749 §4.1.2.1) and a link back to the app. */
export function errorPage({
  error,
  error_description: description,
  siteRoot,
}: {
  error: string
  error_description?: string | undefined
  siteRoot: string
}): string {
  return page({
    title: 'Sign-in failed',
    body: html`<section class="card">
      <h1>Sign-in failed</h1>
      <p>${sentence(description ?? error)}</p>
      <p class="code">${error}</p>
      <p><a class="button" href="${siteRoot}">Go to Vitrine</a></p>
    </section>`,
  })
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}
