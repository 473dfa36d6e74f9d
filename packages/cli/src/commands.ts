import type { Command } from './command.ts'
import { demo } from './demo/demo.ts'
import { userAdd } from './user-add.ts'
import { userList } from './user-list.ts'
import { userPasswd } from './user-passwd.ts'
import { userRemove } from './user-remove.ts'

/** Every command, by the words that it is called with. */
export const commands: Record<string, Command> = {
  demo,
  'user add': userAdd,
  'user list': userList,
  'user passwd': userPasswd,
  'user remove': userRemove,
}
