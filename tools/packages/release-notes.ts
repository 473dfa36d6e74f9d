/**
 * Returns what a changelog says of a version, or undefined where it has no section of it, an empty one, or one
 * without a date: `## 0.2.0 — 22 November 2026`.
 */
export function releaseNotes(changelog: string, version: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1)
  for (const section of sections) {
    const [heading = '', ...lines] = section.split('\n')
    const [named, date = ''] = heading.split(' — ')
    if (named?.trim() !== version) continue
    const notes = lines.join('\n').trim()
    return notes === '' || !/\d{4}/.test(date) ? undefined : notes
  }
  return undefined
}
