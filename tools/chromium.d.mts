/** The path of a Chromium; ends the process with a sentence when none can be had. */
export function findChromium(): string
