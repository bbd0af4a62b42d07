// Sends, suppressions, events and the audit log in the admin API.

import { Type } from '@keelson/sdk'
import { audit } from '../audit/audit.ts'
import { listAudit } from '../audit/list-audit.ts'
import { checkedInput, inputs } from '../checked-input.ts'
import { listSuppressions } from '../contacts/list-suppressions.ts'
import { suppress } from '../contacts/record-suppressions.ts'
import { removeSuppression } from '../contacts/remove-suppression.ts'
import type { MailerContext } from '../context.ts'
import { defined } from '../defined.ts'
import { countEvents } from '../flows/count-events.ts'
import { listSends, readSend } from '../sends/read-sends.ts'
import { resend } from '../sends/resend.ts'
import { resolveUnknown, type UnknownVerdict } from '../sends/unknown-sends.ts'
import { journeyHref } from '../telemetry/mail-events.ts'
import { type AdminRoute, answered, fieldsOf, notFound, pageOf } from './admin-route.ts'

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
    method: 'POST',
    path: '/sends/:id/resolve',
    summary: 'Says what became of a mail whose outcome is unknown',
    handler: async ({ context, params, body, acting }) => {
      const verdict = fieldsOf(body)['verdict']
      if (!VERDICTS.includes(verdict)) return invalid('verdict must be sent, not_sent or resend.')
      const { id = '' } = params
      const result = await resolveUnknown(context, id, verdict as UnknownVerdict, acting.actor)
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
    path: '/suppressions',
    summary: 'Suppressions, those added last first',
    handler: async ({ context, query }) => {
      const { email, scope, reason } = query
      const filter = defined({ email, scope, reason })
      const { rows, nextCursor } = await listSuppressions(context, { ...filter, ...pageOf(query) })
      return { body: rows, nextCursor }
    }
  },
  {
    method: 'POST',
    path: '/suppressions',
    summary: 'Suppresses an address',
    permission: 'canManageSuppressions',
    handler: async ({ context, body, acting }) => {
      const { email, ...options } = fieldsOf(body)
      await suppress(context, email as string, options as never)
      const resource = { collection: context.collections.suppressions.collectionName }
      await audit(context, { ...acting, action: 'suppression.add', resource, after: body })
      return { body: { ok: true } }
    }
  },
  {
    method: 'DELETE',
    path: '/suppressions/:id',
    summary: 'Takes a suppression away; after a bounce or complaint with a reason',
    permission: 'canManageSuppressions',
    handler: async ({ context, params, body, acting }) => {
      const options = checkedInput('removeSuppression', removeBody, body)
      const removed = await removeSuppression(context, params['id'] ?? '', {
        ...acting,
        ...options
      })
      return answered(removed, () => ({ ok: true }))
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
    path: '/audit',
    summary: 'The audit log, newest first',
    handler: async ({ context, query }) => {
      const { actor, action, resource } = query
      const filter = defined({ actor, action, resource })
      const { rows, nextCursor } = await listAudit(context, { ...filter, ...pageOf(query) })
      return { body: rows, nextCursor }
    }
  }
]

const closed = { additionalProperties: false } as const
const resendBody = Type.Object({ key: Type.Optional(inputs.reason) }, closed)
const removeBody = Type.Object({ reason: Type.Optional(inputs.reason) }, closed)
const VERDICTS: readonly unknown[] = ['sent', 'not_sent', 'resend']
const invalid = (message: string) => ({ ok: false, code: 'validation_failed', message }) as const
