/** Modes of folders and databases that are made here: they hold keys, tokens and people's data. */
export const privateFolder = 0o700
export const privateFile = 0o600
