/** Builds the web app, unless what is built came from the same sources. */
export function buildWeb(): void
