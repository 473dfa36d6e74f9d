export function hasGo(): boolean
export function buildCheckLog(): string
