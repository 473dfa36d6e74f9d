import { BackupError, Failure, SnapshotError } from '@vitrine/server/backup'
import { InvalidDatabase } from '@vitrine/server/store'
import { CommandError } from '../command/command.ts'

/** @throws CommandError for what says in a sentence why a backup cannot be made or restored */
export async function orBackupError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const expected = [BackupError, SnapshotError, InvalidDatabase, Failure]
    if (!expected.some((each) => error instanceof each)) throw error
    const { message, cause } = error as Error
    const isFailure = error instanceof Failure
    const why = isFailure && cause instanceof Error ? `${message} (${cause.message})` : message
    throw new CommandError(isFailure ? `It could not be finished: ${why}.` : why, { cause: error })
  }
}
