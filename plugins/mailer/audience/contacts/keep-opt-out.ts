// Keeps an opt-out durably: in the database, or in the journal when that does not answer in time.
import { within } from '@keelson/sdk'
import { isMailable } from '../../ledger/address.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { appendLines } from './journal/journal-file.ts'
import { formatOptOut } from './journal/pending-opt-out.ts'
import { type OptOut, recordOptOuts } from './record-opt-outs.ts'

/** Where an opt-out is now. `failed`: nowhere, and the caller must say so. `refused`: it has no address. */
export type KeptOptOut = 'recorded' | 'journaled' | 'failed' | 'refused'

/** Never throws. Waits for the database at most `unsubscribeWriteTimeoutMs`. */
export async function keepOptOut(
  context: MailerContext,
  optOut: OptOut,
  journalPath: string | undefined
): Promise<KeptOptOut> {
  if (!isMailable(optOut.email)) return 'refused'
  const overdue = () => new Error('the database did not answer in time')
  const ms = context.config.unsubscribeWriteTimeoutMs
  try {
    await within(recordOptOuts(context, [optOut]), { deadline: { ms, overdue } })
    return 'recorded'
  } catch (error) {
    context.log.warn({ err: error }, 'mailer: an unsubscribe could not be recorded')
    return journalPath === undefined ? 'failed' : writeDown(context, optOut, journalPath)
  }
}

async function writeDown(
  { log }: MailerContext,
  optOut: OptOut,
  journalPath: string
): Promise<KeptOptOut> {
  try {
    await appendLines(journalPath, [formatOptOut(optOut)])
    return 'journaled'
  } catch (error) {
    log.error({ err: error, journalPath }, 'mailer: the journal of unsubscribes cannot be written')
    return 'failed'
  }
}
