/** Whether a text has no NUL and no lone surrogate, which UTF-8 and PostgreSQL cannot keep. */
export function isKeepable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

export const unkeepable = 'must be text without NUL and lone surrogates'
