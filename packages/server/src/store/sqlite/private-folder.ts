/** The mode of a data folder that is made here: it holds keys and tokens, which nobody else may read. */
export const privateFolder = 0o700
