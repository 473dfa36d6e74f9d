import type { Client } from '@vitrine/client'
import {
  checkRepoDescription,
  checkViewDescription,
  type Checked,
  type RepoDescription,
  type ViewDescription,
} from '@vitrine/contract'

/** Differences between the YAML screens. */
export type DescriptionKind = {
  noun: 'repo' | 'view'
  heading: string
  /** The visible label of the editor. */
  prompt: string
  /** Names the request under way. */
  busy: string
  /** A description that is ready to be changed, for who begins with none. */
  example?: string
  check: (input: unknown) => Checked<RepoDescription | ViewDescription>
  create: (client: Client, body: unknown) => Promise<unknown>
}

const repoExample = `---
name: photos
description: Photographs, each with a title
schema:
  # Text. length is the most characters that a value may have.
  - name: title
    type: string
    length: 120
  # A file. mime is its media type, such as image/png; image/* takes any image.
  - name: image
    type: binary
    mime: image/*
  # What is optional may be left empty.
  - name: notes
    type: string
    length: 2000
    optional: true
  # A reference holds the id of an item of another dataset:
  # - name: taken_by
  #   type: reference
  #   target: people
`

const viewExample = `---
name: photo-captions
# The repository or view that this view derives from.
base: photos
description: The latest photographs with their captions
# The items to keep; left out, all of them. All conditions must hold.
where:
  title: { icontains: cat }
# A hyphen turns an order around.
order: [-createdAt]
# Left out, every field is shown. To leave some out instead: fields: { except: [notes] }
fields:
  - image
  # A field under another name:
  - name: caption
    from: title
`

export const repoKind = {
  noun: 'repo',
  heading: 'Add Repository',
  prompt: 'Enter YAML repository description',
  busy: 'Adding the repository',
  example: repoExample,
  check: checkRepoDescription,
  create: (client, body) => client.repoCreate({ body }),
} satisfies DescriptionKind

export const viewKind = {
  noun: 'view',
  heading: 'Add View',
  prompt: 'Enter YAML view description',
  busy: 'Adding the view',
  example: viewExample,
  check: checkViewDescription,
  create: (client, body) => client.viewCreate({ body }),
} satisfies DescriptionKind
