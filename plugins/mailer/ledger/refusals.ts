// What the mailer refuses a call with, for its own operations.
import { defineRefusals, OWN_REFUSALS, type RefusalTable } from '@keelson/sdk'
import { mailerRefusals } from '../contracts/mailer-refusals.ts'

/** The refusals of the mailer's operations, by their word. An answer may be more exact. */
export const mailRefusals = defineRefusals(mailerRefusals)

const words: RefusalTable = { ...OWN_REFUSALS, ...mailRefusals.table }

/** Every word that the admin API refuses a call with; checks of other plugins add their own. */
export const adminRefusalWords: readonly string[] = Object.keys(words)
