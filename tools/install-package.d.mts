export function installPackage(name: string): void
