// Sends, events and the audit log in the admin API.
import { Type } from '@keelson/sdk'
import { countEvents } from '../campaigns/flows/count-events.ts'
import { listSends, readSend } from '../delivery/sends/read-sends.ts'
import { renderAgain } from '../delivery/sends/render-again.ts'
import { resend } from '../delivery/sends/resend.ts'
import { resolveUnknown } from '../delivery/sends/unknown-sends.ts'
import { journeyHref } from '../delivery/telemetry/mail-events.ts'
import { listAudit, readAudit } from '../ledger/audit/list-audit.ts'
import { checkedInput, inputs } from '../ledger/checked-input.ts'
import type { MailerContext } from '../ledger/context.ts'
import { defined } from '../ledger/defined.ts'
import { type AdminRoute, answered, bodyOf, dateOf, idOf, notFound, pageOf } from './admin-route.ts'

const rendered = Type.Object({
  subject: Type.String(),
  /** null: the mail is a text. */
  html: Type.Union([Type.String(), Type.Null()]),
  text: Type.String()
})

/** The page that shows the person behind a mail, where the host has one. */
const linkOf = ({ config }: MailerContext, externalId: string) =>
  defined({ journeyHref: journeyHref(config.telemetry?.journeyPath, externalId) })

/** Routes of what the mailer keeps records of. */
export const recordRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/sends',
    summary: 'Mails, newest first',
    handler: async ({ context, query }) => {
      const { status, kind, template, email } = query
      const filter = defined({ status, kind, template, email })
      const { rows, nextCursor } = await listSends(context, { ...filter, ...pageOf(query) })
      return { body: rows, nextCursor }
    }
  },
  {
    method: 'GET',
    path: '/sends/:id',
    summary: 'A mail with the events of its provider',
    handler: async ({ context, params }) => {
      const found = await readSend(context, params['id'] ?? '')
      if (found === null) return notFound('The mail')
      return { body: { ...found, ...linkOf(context, found.send.externalId) } }
    }
  },
  {
    method: 'GET',
    path: '/sends/:id/rendered',
    summary: 'A mail as it would be rendered today, without tracking',
    response: rendered,
    handler: async (call) => {
      const { context } = call
      const send = await context.collections.sends.findOne({ _id: idOf(call) })
      const mail = send && (await renderAgain(context, send, { isTracked: false }))
      if (!mail) return notFound('The mail, its contact or its template')
      return { body: { ...mail, html: mail.html ?? null } }
    }
  },
  {
    method: 'POST',
    path: '/sends/:id/resolve',
    summary: 'Says what became of a mail whose outcome is unknown',
    permission: 'canPublish',
    handler: async (call) => {
      const { verdict } = bodyOf(call, resolveBody)
      const result = await resolveUnknown(call.context, idOf(call), verdict, call.acting)
      return answered(result, ({ status }) => ({ ok: true, status }))
    }
  },
  {
    method: 'POST',
    path: '/sends/:id/resend',
    summary: 'Sends a mail once more; the same `key` does it once',
    permission: 'canPublish',
    handler: async ({ context, params, body, acting }) => {
      const { key = acting.requestId ?? '' } = checkedInput('resend', resendBody, body)
      const result = await resend(context, params['id'] ?? '', { ...acting, key })
      return answered(result, ({ sendId }) => ({ ok: true, sendId }), 201)
    }
  },
  {
    method: 'GET',
    path: '/events',
    summary: 'Registered events, and those that are seen',
    handler: async ({ context, events }) => ({ body: await countEvents(context, events) })
  },
  {
    method: 'GET',
    path: '/audit/:id',
    summary: 'An entry of the audit log, and what it changed field by field',
    handler: async (call) => {
      const entry = await readAudit(call.context, idOf(call))
      return entry === null ? notFound('The entry') : { body: entry }
    }
  },
  {
    method: 'GET',
    path: '/audit',
    summary: 'The audit log, newest first; by `actor`, `action`, `resource`, `from` and `to`',
    handler: async ({ context, query }) => {
      const { actor, action, resource } = query
      const times = defined({ from: dateOf(query['from']), to: dateOf(query['to']) })
      const filter = {
        ...defined({ actor, action, resource }),
        ...checkedInput('audit', span, times)
      }
      const { rows, nextCursor } = await listAudit(context, { ...filter, ...pageOf(query) })
      return { body: rows, nextCursor }
    }
  }
]

const closed = { additionalProperties: false } as const
const span = Type.Object({ from: Type.Optional(inputs.date), to: Type.Optional(inputs.date) })
const resendBody = Type.Object({ key: Type.Optional(inputs.reason) }, closed)
const resolveBody = Type.Object({ verdict: Type.Enum(['sent', 'not_sent', 'resend']) }, closed)
