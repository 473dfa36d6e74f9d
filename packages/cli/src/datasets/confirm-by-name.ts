import { type Io, ask } from '../command/io.ts'
import { CommandError } from '../command/command.ts'

/**
 * Asks for the name of what is to go, after a sentence that says what that is.
 * @throws CommandError where it is not typed
 */
export async function confirmByName(
  what: string,
  { name, nothingDone, io }: { name: string; nothingDone: string; io: Io },
): Promise<void> {
  const typed = await ask(`${what} Type its name to go on: `, io)
  if (typed === undefined) throw new CommandError(`\n${nothingDone}`, { exitCode: 130 })
  if (typed.trim() !== name) throw new CommandError(`That is another name. ${nothingDone}`)
}
