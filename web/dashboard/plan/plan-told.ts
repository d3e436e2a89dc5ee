// In charge of where a decision about a plan is told: by email only where there is a mail server that takes it there.
import { start } from '../account.ts'

/** Follows “you are told”. */
export const toldWhere = start.sendsMail ? 'here and by email' : 'on this page'

/** Follows “they are told”. */
export const toldThemWhere = start.sendsMail ? 'by email' : 'on the page of their plan'
