// Broadcasts at the workbench: whole ones, a page at a time.
import { readable } from '@keelson/sdk'
import { broadcastSchema } from '../admin/broadcast-answers.ts'
import { listBroadcasts } from '../campaigns/broadcasts/read-broadcasts.ts'
import type { MailerAnswer } from '../contracts/mailer-operations.ts'
import type { BroadcastWork } from '../contracts/mailer-workbench.ts'
import type { MailerContext } from '../ledger/context.ts'

type Broadcast = MailerAnswer<'mailer.broadcasts.create'>

/** The part of the workbench about broadcasts. */
export const broadcastWork = (context: MailerContext): BroadcastWork => ({
  async broadcasts(page) {
    const { rows, ...next } = await listBroadcasts(context, page)
    const shown = rows.map((row) => readable(broadcastSchema, { revision: 0, ...row }) as Broadcast)
    return { ...next, rows: shown }
  }
})
