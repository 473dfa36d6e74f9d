/** The advice to restore a database from a backup. */
const backup = 'restore it from a backup ("Backup and restore" in docs/operating.md)'

/**
 * Says why a database cannot be opened by this version, judged by the migrations that it has had.
 * @param executed their names, oldest first; undefined where there is no table of them
 * @returns undefined when it can
 */
export function migrationFault(
  executed: readonly string[] | undefined,
  known: readonly string[],
  { isEmpty }: { isEmpty: boolean },
): string | undefined {
  const ours = executed?.includes(known[0]!) ?? isEmpty
  const isNew = isEmpty || executed?.length === 0
  if (!ours && !isNew) {
    return 'is of another program: name an empty database, or the one that this installation has'
  }
  const newer = executed?.filter((name) => !known.includes(name)) ?? []
  if (newer.length === 0) return undefined
  return `is of a newer version of Vitrine, which made the changes ${newer.join(', ')}: start that version, or ${backup}`
}

/** Says what to do about a database that is damaged. */
export function damaged(reason: string): string {
  return `is damaged (${reason}): ${backup}`
}
