import type { ChildProcess } from 'node:child_process'

export function untilAnswers(url: string, child: ChildProcess): Promise<void>
