import type { Person } from '@vitrine/contract'

/** What somebody is called; the subject, by which the provider knows the person, is its title. */
export function PersonName({ person: { subject, name } }: { person: Person }) {
  return <bdi title={subject}>{name ?? subject}</bdi>
}
