import type { Person } from '@vitrine/contract'

/** Display name of a person; the subject, by which the provider knows the person, is its title. */
export function PersonName({ person: { subject, name } }: { person: Person }) {
  return <bdi title={subject}>{name ?? subject}</bdi>
}
