import type { Locator, Page } from '@playwright/test'

/** A part of a screen. */
export type Mark = (page: Page) => Locator

/** Screen that has something of a feature. */
export type FeatureScreen = {
  path: string
  /** Makes the screen show what it has, before and after the feature is withheld. */
  open?: (page: Page) => Promise<void>
  /** Are there while the feature is announced, and only then. */
  shows: Mark[]
  /** Is there while it is withheld, once the screen has loaded. */
  stays: Mark
  /** Requests that the screen makes while the feature is announced, and only then. */
  sends?: RegExp
}

type Role = Parameters<Page['getByRole']>[0]

/** The part of a role, by its whole name or by a pattern of it. */
export const role =
  (kind: Role, name: string | RegExp): Mark =>
  (page) =>
    page.getByRole(kind, { name, exact: true })

/** The parts that have a text. */
export const text =
  (shown: string | RegExp): Mark =>
  (page) =>
    page.getByText(shown, { exact: true })

export const press = (kind: Role, name: string) => (page: Page) => role(kind, name)(page).click()
