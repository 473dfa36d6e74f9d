/** How the server's Node is to collect garbage. */
export const nodeFlags: string[]
export const nodeVariables: Record<string, string>
