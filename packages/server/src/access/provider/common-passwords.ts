let passwords: Promise<Set<string>> | undefined

/** Whether a password is among those that people choose most, and that are tried first. */
export async function isCommonPassword(password: string): Promise<boolean> {
  // Loaded when somebody chooses a password, which is rare: the list takes some megabytes.
  passwords ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  )
  return (await passwords).has(password.toLowerCase())
}
