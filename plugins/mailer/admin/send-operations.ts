// What an operator does with mails: one is sent again or resolved, and so are many at once.
import { answered, type Call, type Operation, operation, Type } from '@keelson/sdk'
import { resolveSends, retrySends } from '../delivery/sends/change-many.ts'
import { resend as resendMail } from '../delivery/sends/resend.ts'
import { resolveUnknown } from '../delivery/sends/resolve-unknown.ts'
import { countOpenSends, sendSelectionSchema } from '../delivery/sends/select-sends.ts'
import { actingOf } from '../ledger/acting.ts'
import { inputs } from '../ledger/checked-input.ts'
import { mailRefusals as refusals } from '../ledger/refusals.ts'
import {
  type AdminHost,
  access,
  closed,
  confirmedCount,
  idParams,
  MAIL_API
} from './admin-operation.ts'
import { sendStatusSchema } from './send-answers.ts'

const base = MAIL_API
const optional = Type.Optional
const ok = Type.Literal(true)
const done = { ok: true } as const
const verdict = Type.Enum(['sent', 'not_sent', 'resend'])

const resolve = operation({
  id: 'mailer.sends.resolve',
  method: 'POST',
  base,
  path: '/sends/:id/resolve',
  summary: 'Says what became of a mail whose outcome is unknown',
  access: access.publish,
  effect: 'release',
  params: idParams,
  body: Type.Object({ verdict }, closed),
  answer: Type.Object({ ok, status: sendStatusSchema }),
  errors: refusals.only('bad_id', 'not_found', 'not_unknown'),
  async run({ params: { id }, body: { verdict } }, { host, actor }: Call<AdminHost>) {
    const result = await resolveUnknown(host.context, id, verdict, actingOf(actor))
    return result.ok ? { ...done, status: result.status } : result
  }
})

const resend = operation({
  id: 'mailer.sends.resend',
  method: 'POST',
  base,
  path: '/sends/:id/resend',
  summary: 'Sends a mail once more, or now if it waits; the same `key` does it once',
  access: access.publish,
  effect: 'release',
  params: idParams,
  body: Type.Object({ key: optional(inputs.reason) }, closed),
  // 200: the mail itself goes; 201: a new one.
  status: [200, 201],
  answer: Type.Object({
    ok,
    sendId: Type.String({ description: 'The mail itself, where no provider had it.' })
  }),
  errors: refusals.only('bad_id', 'not_found', 'not_resendable'),
  async run({ params: { id }, body }, { host, actor, callKey }: Call<AdminHost>) {
    const key = body.key ?? callKey ?? actor.requestId ?? ''
    const result = await resendMail(host.context, id, { ...actingOf(actor), key })
    if (!result.ok) return result
    const { sendId } = result
    return answered({ ...done, sendId }, { status: sendId === id ? 200 : 201 })
  }
})

const countOpen = operation({
  id: 'mailer.sends.countOpen',
  method: 'GET',
  base,
  path: '/sends/open',
  summary: 'Counts failed mails that could be sent again, and those of unknown outcome',
  access: access.read,
  effect: 'read',
  query: sendSelectionSchema,
  answer: Type.Object({
    failed: Type.Integer({ description: 'Ended without a provider having them.' }),
    unknown: Type.Integer({ description: 'A provider may or may not have them.' })
  }),
  run: ({ query }, { host }: Call<AdminHost>) => countOpenSends(host.context, query)
})

const retryMany = operation({
  id: 'mailer.sends.retryMany',
  method: 'POST',
  base,
  path: '/sends/retry',
  summary: 'Sends failed mails again; no contact gets two',
  access: access.publish,
  effect: 'send',
  hints: { mails: true },
  body: Type.Object(
    { filter: sendSelectionSchema, confirmedCount: confirmedCount('`failed` of /sends/open.') },
    closed
  ),
  answer: Type.Object({ ok, retried: Type.Integer() }),
  errors: refusals.only('count_mismatch'),
  async run({ body: { filter, confirmedCount } }, { host, actor }: Call<AdminHost>) {
    const asked = { selection: filter, confirmedCount }
    const result = await retrySends(host.context, asked, actingOf(actor))
    return result.ok ? { ...done, retried: result.changed } : result
  }
})

const resolveMany = operation({
  id: 'mailer.sends.resolveMany',
  method: 'POST',
  base,
  path: '/sends/resolve',
  summary: 'Says what became of mails whose outcome is unknown; `resend` sends them again',
  access: access.publish,
  effect: 'send',
  hints: { mails: true },
  body: Type.Object(
    {
      filter: sendSelectionSchema,
      as: verdict,
      confirmedCount: confirmedCount('`unknown` of /sends/open.')
    },
    closed
  ),
  answer: Type.Object({ ok, resolved: Type.Integer() }),
  errors: refusals.only('count_mismatch'),
  async run({ body: { filter, as, confirmedCount } }, { host, actor }: Call<AdminHost>) {
    const asked = { selection: filter, confirmedCount, as }
    const result = await resolveSends(host.context, asked, actingOf(actor))
    return result.ok ? { ...done, resolved: result.changed } : result
  }
})

/** In the order of the reference. */
export const sendOperations: readonly Operation<AdminHost>[] = [
  resolve,
  resend,
  countOpen,
  retryMany,
  resolveMany
]
