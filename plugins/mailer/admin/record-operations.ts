// Sends, events and the audit log in the admin API.
import { answered, type Call, type Operation, operation, Type } from '@keelson/sdk'
import { countEvents } from '../campaigns/flows/count-events.ts'
import { listSends, readSend } from '../delivery/sends/read-sends.ts'
import { renderAgain } from '../delivery/sends/render-again.ts'
import { sendSelectionSchema } from '../delivery/sends/select-sends.ts'
import { journeyHref } from '../delivery/telemetry/mail-events.ts'
import { auditMentions } from '../ledger/audit/audit-mentions.ts'
import { listAudit, readAudit } from '../ledger/audit/list-audit.ts'
import { defined } from '../ledger/defined.ts'
import { withNames } from '../ledger/names.ts'
import { mailRefusals as refusals } from '../ledger/refusals.ts'
import {
  type AdminHost,
  access,
  idParams,
  MAIL_API,
  missing,
  pageParameters,
  time
} from './admin-operation.ts'
import { auditEntrySchema, auditLineSchema, eventsSchema } from './record-answers.ts'
import {
  renderedSchema,
  sendDetailSchema,
  sendLineSchema,
  sendStatusSchema
} from './send-answers.ts'
import { sendOperations } from './send-operations.ts'

const base = MAIL_API
const optional = Type.Optional
const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })

const listMails = operation({
  id: 'mailer.sends.list',
  method: 'GET',
  base,
  path: '/sends',
  summary: 'Mails, newest first',
  access: access.read,
  effect: 'read',
  query: Type.Object({
    status: optional(sendStatusSchema),
    ...sendSelectionSchema.properties,
    ...pageParameters(500, 500)
  }),
  answer: Type.Array(sendLineSchema),
  async run({ query }, { host: { context } }: Call<AdminHost>) {
    const { rows, nextCursor } = await listSends(context, query)
    return answered(await withNames(context, rows), { nextCursor })
  }
})

const readMail = operation({
  id: 'mailer.sends.read',
  method: 'GET',
  base,
  path: '/sends/:id',
  summary: 'A mail with the events of its provider',
  access: access.read,
  effect: 'read',
  params: idParams,
  answer: sendDetailSchema,
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { id } }, { host: { context } }: Call<AdminHost>) {
    const found = await readSend(context, id)
    if (found === null) return missing('mail')
    const href = journeyHref(context.config.telemetry?.journeyPath, found.send.externalId)
    const [send] = await withNames(context, [found.send])
    return { ...found, send: send ?? found.send, journeyHref: href }
  }
})

const rendered = operation({
  id: 'mailer.sends.readRendered',
  method: 'GET',
  base,
  path: '/sends/:id/rendered',
  summary: 'A mail as it would be rendered today, without tracking',
  access: access.read,
  effect: 'read',
  params: idParams,
  answer: renderedSchema,
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { id } }, { host: { context } }: Call<AdminHost>) {
    const options = { projection: { attachments: 0 } }
    const send = await context.collections.sends.findOne({ _id: id }, options)
    const mail = send && (await renderAgain(context, send, { isTracked: false }))
    if (!mail) return missing('mail, its contact or its template')
    return { ...mail, html: mail.html ?? null }
  }
})

const events = operation({
  id: 'mailer.events.list',
  method: 'GET',
  base,
  path: '/events',
  summary: 'Registered events, and those that are seen',
  access: access.read,
  effect: 'read',
  answer: eventsSchema,
  run: (_input, { host: { context, events } }: Call<AdminHost>) => countEvents(context, events)
})

const auditLog = operation({
  id: 'mailer.audit.list',
  method: 'GET',
  base,
  path: '/audit',
  summary: 'The audit log, newest first',
  access: access.read,
  effect: 'read',
  query: Type.Object({
    actor: optional(text(320)),
    action: optional(text(128)),
    resource: optional(Type.String({ maxLength: 256, description: 'A slug or an id.' })),
    from: optional(time),
    to: optional(time),
    ...pageParameters(200, 200)
  }),
  answer: Type.Array(auditLineSchema),
  async run({ query: { from, to, ...more } }, { host: { context } }: Call<AdminHost>) {
    const times = defined({ from: dateOf(from), to: dateOf(to) })
    const { rows, nextCursor } = await listAudit(context, { ...more, ...times })
    const named = await withNames(context, rows, auditMentions(context))
    return answered(named, { nextCursor })
  }
})

const auditEntry = operation({
  id: 'mailer.audit.read',
  method: 'GET',
  base,
  path: '/audit/:id',
  summary: 'An entry of the audit log, and what it changed field by field',
  access: access.read,
  effect: 'read',
  params: idParams,
  answer: auditEntrySchema,
  errors: refusals.only('bad_id', 'not_found'),
  run: async ({ params: { id } }, { host }: Call<AdminHost>) =>
    (await readAudit(host.context, id)) ?? missing('entry')
})

const dateOf = (text: string | undefined) => (text === undefined ? undefined : new Date(text))

/** The operations of what the mailer keeps records of. */
export const recordOperations: readonly Operation<AdminHost>[] = [
  listMails,
  readMail,
  rendered,
  ...sendOperations,
  events,
  auditLog,
  auditEntry
]
