import { parseDescription } from '@vitrine/client/yaml'
import {
  checkRepoDescription,
  compareRepos,
  type RepoChange,
  type RepoDescription,
} from '@vitrine/contract'
import { useDeferredValue, useMemo } from 'react'
import { Section } from '../../ui/Section.tsx'
import classes from './RepoChanges.module.css'

/** Changes that a description would make to a repository, and those that are impossible, as it is typed. */
export function RepoChanges({ before, text }: { before: RepoDescription; text: string }) {
  const typed = useDeferredValue(text)
  const changes = useMemo(() => changesTo(before, typed), [before, typed])
  return (
    <Section title="What changes">
      <output className={classes.summary}>{summary(changes)}</output>
      {changes !== undefined && changes.length > 0 && (
        <ul className={classes.changes}>
          {changes.map((each) => (
            <li
              key={`${each.field} ${each.change}`}
              className={classes.change}
              data-kind={each.reason === undefined ? 'taken' : 'refused'}
            >
              {each.field !== undefined && <code>{each.field}</code>}
              <span>{each.change}</span>
              {each.reason !== undefined && (
                <span className={classes.reason}>not possible: {each.reason}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

/** Undefined where the text is no valid description: the editor says why. */
function changesTo(before: RepoDescription, text: string): RepoChange[] | undefined {
  const parsed = parseDescription(text)
  const checked = parsed.ok ? checkRepoDescription(parsed.value) : undefined
  return checked?.ok === true ? compareRepos(before, checked.value) : undefined
}

function summary(changes: RepoChange[] | undefined): string {
  if (changes === undefined) return 'The description has a problem; the editor marks it.'
  const refused = changes.filter(({ reason }) => reason !== undefined).length
  if (changes.length === 0) return 'Nothing yet. Items stay as they are, whatever you add.'
  if (refused === 0) return 'Items stay as they are.'
  return 'A repository that has items can only be extended: nothing is applied until the marked changes are taken back.'
}
