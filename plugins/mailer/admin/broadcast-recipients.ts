// Operations about the recipients of a broadcast: who they are, what became of them, who is left out.
import { answered, type Call, type Operation, operation, Type } from '@keelson/sdk'
import { countBroadcast } from '../campaigns/broadcasts/count-recipients.ts'
import { recipientCapSchema, stopRulesSchema } from '../campaigns/broadcasts/draft-broadcast.ts'
import { listLeftOut } from '../campaigns/broadcasts/left-out.ts'
import { listRecipients, readResults } from '../campaigns/broadcasts/read-broadcasts.ts'
import { readReport } from '../campaigns/broadcasts/report-broadcast.ts'
import { testSend } from '../campaigns/broadcasts/test-send.ts'
import { actingOf } from '../ledger/acting.ts'
import { inputs } from '../ledger/checked-input.ts'
import type { MailerContext } from '../ledger/context.ts'
import { defined } from '../ledger/defined.ts'
import { mailRefusals as refusals } from '../ledger/refusals.ts'
import {
  type AdminHost,
  access,
  closed,
  MAIL_API,
  missing,
  pageParameters,
  slugParams
} from './admin-operation.ts'
import {
  broadcastSchema,
  leaveOutSchema,
  leftOutReasonSchema,
  leftOutSchema,
  recipientCountSchema,
  reportSchema,
  resultsSchema
} from './broadcast-answers.ts'
import { recipientSchema, sendStatusSchema } from './send-answers.ts'

const base = MAIL_API
const SLUG = '/broadcasts/:slug'
const optional = Type.Optional
const text = Type.String()

async function idOf({ collections }: MailerContext, slug: string): Promise<string | undefined> {
  const row = await collections.broadcasts.findOne({ slug }, { projection: { _id: 1 } })
  return row?._id
}

/** A page as the lists of a broadcast take it. */
function pageOf<T extends { readonly cursor?: string }>({ cursor: after, ...more }: T) {
  return { ...more, ...defined({ after }) }
}

const results = operation({
  id: 'mailer.broadcasts.readResults',
  method: 'GET',
  base,
  path: `${SLUG}/results`,
  summary: 'How far its mails came, in all and by variant',
  access: access.read,
  effect: 'read',
  params: slugParams,
  answer: resultsSchema,
  errors: refusals.only('bad_id', 'not_found'),
  run: async ({ params: { slug } }, { host }: Call<AdminHost>) =>
    (await readResults(host.context, slug)) ?? missing('broadcast')
})

const report = operation({
  id: 'mailer.broadcasts.readReport',
  method: 'GET',
  base,
  path: `${SLUG}/report`,
  summary: 'The links that people clicked, and what happened by the hour',
  access: access.read,
  effect: 'read',
  params: slugParams,
  answer: reportSchema,
  errors: refusals.only('bad_id', 'not_found'),
  run: async ({ params: { slug } }, { host }: Call<AdminHost>) =>
    (await readReport(host.context, slug)) ?? missing('broadcast')
})

const recipients = operation({
  id: 'mailer.broadcasts.listRecipients',
  method: 'GET',
  base,
  path: `${SLUG}/recipients`,
  summary: 'What became of each recipient',
  access: access.read,
  effect: 'read',
  params: slugParams,
  query: Type.Object({
    status: optional(sendStatusSchema),
    needsLook: optional(
      Type.Boolean({
        description: 'Only mails that are unknown, failed, bounced or complained about.'
      })
    ),
    ...pageParameters(1000, 200)
  }),
  answer: Type.Array(recipientSchema),
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { slug }, query }, { host: { context } }: Call<AdminHost>) {
    const id = await idOf(context, slug)
    if (id === undefined) return missing('broadcast')
    const { recipients, nextCursor } = await listRecipients(context, id, pageOf(query))
    return answered(recipients, { nextCursor })
  }
})

const leftOut = operation({
  id: 'mailer.broadcasts.listLeftOut',
  method: 'GET',
  base,
  path: `${SLUG}/left-out`,
  summary: 'Contacts of the segment that got no mail, and why',
  access: access.read,
  effect: 'read',
  params: slugParams,
  query: Type.Object({ reason: optional(leftOutReasonSchema), ...pageParameters(1000, 200) }),
  answer: Type.Array(leftOutSchema),
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { slug }, query }, { host: { context } }: Call<AdminHost>) {
    const id = await idOf(context, slug)
    if (id === undefined) return missing('broadcast')
    const { rows, nextCursor } = await listLeftOut(context, id, pageOf(query))
    return answered(rows, { nextCursor })
  }
})

const countSegment = operation({
  id: 'mailer.broadcasts.countRecipients',
  method: 'POST',
  base,
  path: `${SLUG}/segment/count`,
  summary: 'Counts who would be mailed',
  access: access.read,
  effect: 'read',
  params: slugParams,
  body: Type.Object(
    {
      recipientCap: optional(recipientCapSchema),
      segmentDefinition: optional(Type.Object({})),
      stopRules: optional(stopRulesSchema),
      leaveOut: optional(leaveOutSchema)
    },
    closed
  ),
  answer: recipientCountSchema,
  errors: refusals.only('bad_id', 'not_found', 'invalid_segment'),
  async run({ params: { slug }, body }, { host: { context } }: Call<AdminHost>) {
    const from = performance.now()
    const counted = await countBroadcast(context, slug, body)
    if (!counted.ok) return counted
    const eligible = counted.uncappedRecipientCount + counted.alreadySent
    return { ...counted, eligible, computedMs: Math.round(performance.now() - from) }
  }
})

const sendTest = operation({
  id: 'mailer.broadcasts.sendTest',
  method: 'POST',
  base,
  path: `${SLUG}/test-send`,
  summary:
    'Queues the mail of a broadcast for 1 to 10 contacts; it does not count for the broadcast',
  access: access.sendBroadcasts,
  effect: 'send',
  hints: { mails: true },
  params: slugParams,
  body: Type.Object(
    { contactIds: Type.Array(inputs.externalId, { minItems: 1, maxItems: 10, uniqueItems: true }) },
    closed
  ),
  status: 201,
  answer: Type.Object({
    broadcast: broadcastSchema,
    sends: Type.Array(Type.Object({ sendId: text, externalId: text, templateSlug: text }))
  }),
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { slug }, body: { contactIds } }, { host, actor, callKey }: Call<AdminHost>) {
    const by = { ...actingOf(actor), ...defined({ key: callKey }) }
    const result = await testSend(host.context, slug, contactIds, by)
    if (!result.ok) return result
    const { broadcast, sends } = result
    return { broadcast: { ...broadcast, revision: broadcast.revision ?? 0 }, sends }
  }
})

/** In the order of the reference. */
export const recipientOperations: readonly Operation<AdminHost>[] = [
  results,
  report,
  recipients,
  leftOut,
  countSegment,
  sendTest
]
