import type { Page } from '@playwright/test'
import type { Feature } from '@vitrine/contract'
import { press, role, text, type FeatureScreen } from './feature-marks.ts'
import { names } from './feature-samples.ts'

const { people, photos, captions, scans, notes, media } = names
const dataset = `/dataset/${photos}`
const [items, item] = [`${dataset}/item`, `${dataset}/item/1`]

const references = role('heading', 'Referenced by')
const [mill, title] = [text('The mill'), role('heading', 'Morning by the lake')]
const missingPage = role('heading', '404 - Page not found')
const palette = role('dialog', /./)
const pressKeys = (keys: string) => async (page: Page) => {
  await references(page).waitFor()
  await page.keyboard.press(keys)
}
const openExport = press('button', 'Export')
const offersFormat = (name: RegExp): FeatureScreen => ({
  path: dataset,
  open: openExport,
  shows: [role('radio', name)],
  stays: role('radio', /^Zip/),
})

/** Screens that have something of a feature, or the reason why none has. */
export const featureScreens = {
  account: [
    { path: '/dataset/', shows: [role('link', 'Account')], stays: role('link', 'Access tokens') },
  ],
  'add-item': 'the command line adds an item in one request',
  'add-items': 'programs add many items in one request',
  audit: [
    {
      path: '/dataset/',
      shows: [role('link', 'Audit')],
      stays: role('link', photos),
      sends: /whoami|audit/,
    },
    {
      path: dataset,
      shows: [role('heading', 'History')],
      stays: references,
      sends: /whoami|audit|provenance\?pageSize/,
    },
    { path: '/audit', shows: [role('heading', 'Audit')], stays: missingPage },
  ],
  'audit-log': 'the check of the chain on the page Audit compares it with what is signed',
  authors: [
    { path: dataset, shows: [text('created by')], stays: references, sends: /provenance|author/ },
    {
      path: item,
      shows: [text(/^added .* by admin$/)],
      stays: text(/^added /),
      sends: /provenance|author/,
    },
  ],
  'export-xlsx': [offersFormat(/^Workbook/)],
  'export-arrow': [offersFormat(/^Arrow/)],
  bundles: [offersFormat(/^Bundle/)],
  damage: 'the command line says which items are damaged',
  deleted: 'the command line lists and restores what is deleted',
  'item-search': [
    {
      path: '/dataset/?q=morning+by+the+lake',
      shows: [role('heading', 'Items')],
      stays: text(/^Nothing was found/),
      sends: /\/api\/search\/item/,
    },
  ],
  explore: [
    {
      path: items,
      open: (page) => role('rowheader', '1')(page).hover(),
      shows: [
        role('button', 'title of item 1'),
        role('button', /^Columns/),
        role('separator', /./),
        role('button', 'Add filter'),
        role('button', 'Statistics'),
        role('button', 'Plot'),
      ],
      stays: mill,
    },
    { path: `${items}?item=1`, shows: [role('region', /^Item \d/)], stays: mill },
    { path: `/dataset/${notes}/item`, shows: [role('textbox', 'Page')], stays: text('1–20 of 21') },
    { path: `/dataset/${captions}`, shows: [role('link', 'Explore base')], stays: references },
    {
      path: `/dataset/${people}/item/1`,
      shows: [role('heading', 'Items that refer to this one')],
      stays: role('heading', 'Ada Lovelace'),
    },
    {
      path: `/repo/${photos}/additem`,
      shows: [role('combobox', 'taken_by')],
      stays: role('spinbutton', 'taken_by'),
    },
  ],
  export: [
    {
      path: dataset,
      shows: [
        role('button', 'Export'),
        role('heading', 'Load it'),
        role('button', 'Verify this dataset'),
      ],
      stays: references,
    },
    { path: items, shows: [role('button', 'Export')], stays: mill },
  ],
  'export-explored': [
    {
      path: `${items}?where={"title":{"eq":"The mill"}}`,
      open: openExport,
      shows: [
        role('group', 'Items'),
        (page) => role('region', 'Program')(page).filter({ hasText: 'where' }),
      ],
      stays: role('group', 'Format'),
    },
    {
      path: `${items}?as=plot`,
      shows: [role('button', 'Plot'), role('region', /^Plot of/)],
      stays: mill,
    },
  ],
  extend: [
    {
      path: dataset,
      shows: [
        role('link', 'Edit'),
        role('button', 'Edit metadata'),
        role('heading', 'Related datasets'),
        role('heading', 'Load it'),
        text('Schema as JSON'),
      ],
      stays: role('region', 'schema as JSON'),
    },
    { path: `/repo/${photos}/edit`, shows: [text(/Ctrl Space/)], stays: missingPage },
  ],
  growth: [
    { path: dataset, shows: [role('heading', 'Growth')], stays: references, sends: /growth/ },
  ],
  'guarded-delete': [
    {
      path: `/dataset/${people}`,
      open: press('button', 'delete'),
      shows: [role('dialog', `${people} cannot be deleted`)],
      stays: text(/their references will lead nowhere/),
    },
  ],
  import: [
    { path: dataset, shows: [role('link', 'Import')], stays: references },
    { path: items, shows: [role('link', 'Import')], stays: mill },
    { path: `/repo/${photos}/import`, shows: [text('Choose a file')], stays: missingPage },
    { path: `/repo/${scans}/addfiles`, shows: [text('Choose files')], stays: missingPage },
    {
      path: `/repo/${scans}/additem`,
      shows: [role('link', 'Add many files')],
      stays: role('button', 'Submit'),
    },
    { path: '/addrepo', shows: [text(/^A file of rows/)], stays: text(/Ctrl Space/) },
  ],
  labels: [
    {
      path: items,
      shows: [role('link', 'Frances Spence 2'), role('button', 'Gallery')],
      stays: (page) =>
        page.getByRole('row', { name: 'Evening' }).getByRole('link', { name: '1', exact: true }),
    },
    {
      path: `${items}?as=gallery`,
      shows: [role('list', /^Items of /)],
      stays: role('table', /^Items of /),
    },
    {
      path: item,
      shows: [title],
      stays: role('heading', 'Item 1'),
    },
    {
      path: `/repo/${photos}/additem`,
      shows: [role('combobox', 'taken_by')],
      stays: role('spinbutton', 'taken_by'),
    },
  ],
  log: [
    { path: dataset, shows: [role('button', 'Verify this dataset')], stays: references },
    { path: item, shows: [text(/has an entry of each item/)], stays: role('heading', 'Cite') },
  ],
  media: [
    {
      path: `/dataset/${media}/item/1`,
      open: async (page) => {
        const show = role('button', 'show')(page)
        await show.first().waitFor()
        while ((await show.count()) > 0) await show.first().click()
      },
      shows: [text('<p>A page</p>'), text(/colour/), (page) => page.getByRole('figure')],
      stays: (page) => text('mime type not supported')(page).nth(3),
    },
  ],
  neighbours: [
    {
      path: item,
      shows: [role('link', 'Next item')],
      stays: title,
      sends: /neighbours/,
    },
  ],
  origins: 'imports of the command line say where the items of a bundle come from',
  partial: [{ path: items, shows: [], stays: mill, sends: /partial=true/ }],
  preview: [{ path: '/addview', shows: [role('region', 'Preview')], stays: text(/Ctrl Space/) }],
  q: [
    {
      path: `${items}?q=mill`,
      shows: [role('searchbox', 'Search items'), (page) => page.getByRole('table').locator('mark')],
      stays: text('Evening'),
      sends: /[?&]q=/,
    },
  ],
  'q-labels': [
    {
      path: `${items}?q=lovelace`,
      shows: [(page) => page.getByRole('table').locator('mark').first()],
      stays: role('searchbox', 'Search items'),
    },
  ],
  search: [
    {
      path: '/dataset/',
      shows: [role('searchbox', /./), role('button', 'Search and commands')],
      stays: role('rowheader', photos),
      sends: /\/api\/search/,
    },
    {
      path: '/repo/',
      shows: [role('searchbox', /./)],
      stays: role('rowheader', photos),
      sends: /\/api\/search/,
    },
    {
      path: '/view/',
      shows: [role('searchbox', /./)],
      stays: role('rowheader', captions),
      sends: /\/api\/search/,
    },
    { path: dataset, open: pressKeys('/'), shows: [palette], stays: references },
    { path: dataset, open: pressKeys('ControlOrMeta+k'), shows: [palette], stays: references },
  ],
  cut: 'lists have the beginnings of long texts (e2e/long-texts.e2e.ts)',
  'small-pictures': [
    {
      path: `/dataset/${scans}/item?as=gallery`,
      shows: [(page) => role('list', /^Items of /)(page).locator('img')],
      stays: text('large file'),
      sends: /small/,
    },
  ],
  snapshots: 'the command line lists and makes snapshots',
  states: [
    {
      path: dataset,
      shows: [role('slider', /^As of so many items/), role('heading', 'Cite')],
      stays: references,
    },
    { path: `${dataset}@2`, shows: [role('complementary', 'State')], stays: references },
    { path: item, shows: [role('heading', 'Cite')], stays: role('button', 'Verify all') },
  ],
  corrections: 'what was replaced is made by a test of its own (e2e/corrections.e2e.ts)',
  current: 'what was replaced is made by a test of its own (e2e/corrections.e2e.ts)',
  'import-corrections': 'a file is to be chosen first (e2e/import-match.e2e.ts)',
  'import-match': 'a file is to be chosen first (e2e/import-match.e2e.ts)',
  diff: [
    { path: `${dataset}@2`, shows: [role('link', 'Changes since')], stays: references },
    { path: `${dataset}/diff?from=2`, shows: [role('button', 'Compare')], stays: missingPage },
  ],
  roles: 'a server of its own has people of several roles (e2e/roles.e2e.ts)',
  summary: [
    { path: dataset, shows: [role('link', 'Summary')], stays: references },
    { path: `${dataset}/summary`, shows: [text('Ada Lovelace')], stays: missingPage },
    {
      path: `${items}?heads=statistics`,
      shows: [
        role('button', 'Statistics'),
        role('group', 'Statistics of title'),
        role('link', 'Summary'),
        role('button', 'Plot'),
      ],
      stays: role('button', 'Add filter'),
    },
  ],
  links: [{ path: dataset, shows: [role('heading', 'Links')], stays: references }],
  tokens: [{ path: '/token/', shows: [role('button', 'Create token')], stays: missingPage }],
  types: [
    {
      path: `/repo/${notes}/additem`,
      shows: [role('textbox', 'day')],
      stays: text('NOT IMPLEMENTED'),
    },
  ],
} satisfies Record<Feature, FeatureScreen[] | string>
