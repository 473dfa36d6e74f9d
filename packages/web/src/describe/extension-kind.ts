import {
  changeText,
  checkRepoDescription,
  compareRepos,
  type Problem,
  type RepoChange,
  type RepoDescription,
} from '@vitrine/contract'
import type { DescriptionKind } from './description-kind.ts'

/** Editing the description of a repository that is there: what is no extension of it is a problem. */
export function extensionKind(before: RepoDescription): DescriptionKind {
  return {
    noun: 'repo',
    heading: 'Edit',
    prompt: 'Enter YAML repository description',
    busy: 'Extending the repository',
    check: (input) => {
      const checked = checkRepoDescription(input)
      if (!checked.ok) return checked
      const refused = compareRepos(before, checked.value).filter(
        ({ reason }) => reason !== undefined,
      )
      if (refused.length === 0) return checked
      return { ok: false, problems: refused.map((change) => placed(change, checked.value)) }
    },
    create: (client, body) => client.repoExtend({ datasetId: before.name, body }),
  }
}

/** A difference as a problem with the field that it concerns, or with the schema that lacks that field. */
function placed(change: RepoChange, { schema }: RepoDescription): Problem {
  const index = schema.findIndex(({ name }) => name === change.field)
  const reason = changeText(change)
  if (change.field === undefined) return { path: ['name'], reason }
  return index === -1
    ? { path: ['schema'], reason, atKey: true }
    : { path: ['schema', index], reason }
}
