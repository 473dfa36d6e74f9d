/** Builds the server and the web app, unless what is built came from the same sources. */
export function build(): void

export function buildServer(): void

export function buildWeb(): void
