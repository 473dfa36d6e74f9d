/**
 * Names the columns of a file, each differently: of those that have the same name the first one keeps it, and the
 * others become `name_2` and so on. One without a name, in the second place, becomes `column_2`.
 */
export function nameColumns(written: readonly string[]): string[] {
  const taken = new Set(written)
  const seen = new Set<string>()
  const numbers = new Map<string, number>()
  return written.map((name, at) => {
    const isEmpty = name.trim() === ''
    const plain = isEmpty ? `column_${at + 1}` : name
    if (isEmpty ? !taken.has(plain) : !seen.has(name)) {
      seen.add(name)
      taken.add(plain)
      return plain
    }
    for (let number = numbers.get(plain) ?? 2; ; number += 1) {
      const free = `${plain}_${number}`
      if (taken.has(free)) continue
      numbers.set(plain, number + 1)
      taken.add(free)
      return free
    }
  })
}
