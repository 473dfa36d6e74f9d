import { realmPath } from '../realm.ts'
import { Html, html } from './html.ts'

/** Path of the pages' own files, below the issuer's path. */
export const assetsPath = `${realmPath}/assets`

/**
 * The policy of the provider's pages; nothing may frame a page that takes a password. A form's answer
 * redirects to the app, which is of the same origin, or else to `redirectTo`: what a form leads to in
 * the end is its action too, to some browsers.
 */
export function providerPolicy({ redirectTo }: { redirectTo?: string | undefined } = {}): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "script-src 'self'",
    `form-action 'self'${redirectTo === undefined ? '' : ` ${redirectTo}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The frame of every page of the provider: the mark above one card. */
export function page({
  title,
  scripts,
  body,
}: {
  title: string
  /** Files of the assets folder. */
  scripts?: string[]
  body: Html
}): string {
  const script = (file: string) => `<script src="${assetsPath}/${file}" defer></script>`
  const markup = html`<html lang="en">
    <head>
      <meta charset="utf-8" />
      <title>${title} · Vitrine</title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <link rel="icon" href="${assetsPath}/logo.svg" type="image/svg+xml" />
      <link rel="stylesheet" href="${assetsPath}/provider.css" />
      ${new Html((scripts ?? []).map(script).join(''))}
    </head>
    <body>
      <main>
        <p class="mark">
          <img src="${assetsPath}/logo.svg" alt="" width="36" height="36" />Vitrine
        </p>
        ${body}
      </main>
    </body>
  </html>`
  return `<!doctype html>${markup.text}`
}
