import { blobsAdopt } from './trash/blobs-adopt.ts'
import { trashCollect } from './trash/trash-collect.ts'
import { trashEmpty } from './trash/trash-empty.ts'
import { trashList } from './trash/trash-list.ts'
import { trashRestore } from './trash/trash-restore.ts'
import { exportCommand } from './bulk/export.ts'
import { importCommand } from './bulk/import.ts'
import { push } from './bulk/push.ts'
import { snapshot } from './bulk/snapshot.ts'
import { verify } from './bulk/verify.ts'
import type { Command } from './command/command.ts'
import { completionCommand } from './completion.ts'
import { copy } from './installation/copy.ts'
import { audit } from './datasets/audit.ts'
import { auditErase } from './datasets/audit-erase.ts'
import { add } from './datasets/add.ts'
import { correct, withdraw } from './datasets/correct.ts'
import { create } from './datasets/create.ts'
import { deleted } from './datasets/deleted.ts'
import { deletedPurge } from './datasets/deleted-purge.ts'
import { deletedRestore } from './datasets/deleted-restore.ts'
import { diff } from './datasets/diff.ts'
import { extend } from './datasets/extend.ts'
import { grant, revoke } from './datasets/grant.ts'
import { linkCreate, linkList, linkRevoke } from './datasets/link.ts'
import { ls } from './datasets/ls.ts'
import { rm } from './datasets/rm.ts'
import { show } from './datasets/show.ts'
import { summary } from './datasets/summary.ts'
import { who } from './datasets/who.ts'
import { demo } from './demo/demo.ts'
import { backup } from './installation/backup.ts'
import { doctor } from './installation/doctor.ts'
import { logRenew } from './installation/log-renew.ts'
import { restore } from './installation/restore.ts'
import { serve } from './installation/serve.ts'
import { login } from './sign-in/login.ts'
import { logout } from './sign-in/logout.ts'
import { token } from './sign-in/token.ts'
import { tokenCreate } from './sign-in/token-create.ts'
import { tokenList } from './sign-in/token-list.ts'
import { tokenRevoke } from './sign-in/token-revoke.ts'
import { whoami } from './sign-in/whoami.ts'
import { userAdd } from './users/user-add.ts'
import { userList } from './users/user-list.ts'
import { userPasswd } from './users/user-passwd.ts'
import { userRemove } from './users/user-remove.ts'

/** Every command, by the words that it is called with. */
export const commands: Record<string, Command> = {
  serve,
  login,
  logout,
  token,
  'token create': tokenCreate,
  'token list': tokenList,
  'token revoke': tokenRevoke,
  whoami,
  ls,
  show,
  summary,
  diff,
  create,
  extend,
  add,
  correct,
  withdraw,
  import: importCommand,
  export: exportCommand,
  push,
  snapshot,
  verify,
  rm,
  grant,
  revoke,
  who,
  'link create': linkCreate,
  'link list': linkList,
  'link revoke': linkRevoke,
  deleted,
  'deleted restore': deletedRestore,
  'deleted purge': deletedPurge,
  audit,
  'audit erase': auditErase,
  demo,
  doctor,
  backup,
  restore,
  copy,
  'log renew': logRenew,
  'blobs adopt': blobsAdopt,
  'trash list': trashList,
  'trash restore': trashRestore,
  'trash empty': trashEmpty,
  'trash collect': trashCollect,
  'user add': userAdd,
  'user list': userList,
  'user passwd': userPasswd,
  'user remove': userRemove,
  completion: completionCommand(() => commands),
}
