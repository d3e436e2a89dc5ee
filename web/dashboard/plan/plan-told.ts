// Words where a user is notified of a decision about a plan: by email only if a mail server is configured.
import { start } from '../account.ts'

/** Follows “you are notified”. */
export const toldWhere = start.sendsMail ? 'here and by email' : 'on this page'

/** Follows “they are notified”. */
export const toldThemWhere = start.sendsMail ? 'by email' : 'on their plan page'
