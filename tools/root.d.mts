/** The folder of the whole project. */
export const root: string
