export const citationKinds = ['Text', 'BibTeX', 'CITATION.cff', 'Link'] as const
export type CitationKind = (typeof citationKinds)[number]

/** Subject of a citation: a state of a dataset, or an item of it. */
export type Cited = {
  /** Such as `photos@1200`. */
  name: string
  itemId?: string | undefined
  address: string
  /** How many items the repository had, and which that is. */
  at: number
  repo: string
  /** When the last of them was added. */
  createdAt: string | undefined
  /** The root of the log at that size, in base64. */
  root: string | undefined
  /** An SPDX identifier. */
  license: string | undefined
}

/** Writes a citation, to be copied. */
export function citation(kind: CitationKind, cited: Cited): string {
  return writers[kind](cited)
}

const writers: Record<CitationKind, (cited: Cited) => string> = {
  Text: (cited) => {
    const day = dayOf(cited)
    return `${titleOf(cited)}. ${day === undefined ? '' : `${day}. `}${hostOf(cited)}. ${noteOf(cited)}. ${cited.address}\n`
  },
  BibTeX: (cited) => {
    const day = dayOf(cited)
    const key = titleOf(cited).replaceAll(/[^\dA-Za-z]+/g, '-')
    const entries = {
      title: titleOf(cited),
      howpublished: hostOf(cited),
      ...(day !== undefined && { year: day.slice(0, 4) }),
      note: noteOf(cited),
      url: cited.address,
    }
    const lines = Object.entries(entries).map(([name, text]) => `  ${name} = {${escaped(text)}},`)
    return `@misc{${key},\n${lines.join('\n')}\n}\n`
  },
  // https://github.com/citation-file-format/citation-file-format/blob/main/schema-guide.md
  'CITATION.cff': (cited) => {
    const day = dayOf(cited)
    const lines = [
      'cff-version: 1.2.0',
      'message: Please cite this dataset as follows.',
      'type: dataset',
      `title: ${quoted(titleOf(cited))}`,
      `version: ${quoted(String(cited.at))}`,
      ...(day === undefined ? [] : [`date-released: ${day}`]),
      'authors:',
      `  - name: ${quoted(hostOf(cited))}`,
      `url: ${quoted(cited.address)}`,
      ...(cited.license === undefined ? [] : [`license: ${quoted(cited.license)}`]),
      `abstract: ${quoted(noteOf(cited))}`,
    ]
    return `${lines.join('\n')}\n`
  },
  Link: ({ address }) => `${address}\n`,
}

function titleOf({ name, itemId }: Cited): string {
  return itemId === undefined ? name : `${name}, item ${itemId}`
}

function noteOf({ at, repo, root }: Cited): string {
  const items = `As of ${at.toLocaleString('en')} ${at === 1 ? 'item' : 'items'} of ${repo}`
  return root === undefined ? items : `${items}, root of its log ${root}`
}

function hostOf({ address }: Cited): string {
  return new URL(address).host
}

/** The day of the state in UTC. */
function dayOf({ createdAt }: Cited): string | undefined {
  return createdAt?.slice(0, 10)
}

/** Characters that mean something to TeX. */
function escaped(text: string): string {
  return text.replaceAll(/[#$%&_{}]/g, String.raw`\$&`)
}

/** A scalar of YAML: JSON is one. */
function quoted(text: string): string {
  return JSON.stringify(text)
}
