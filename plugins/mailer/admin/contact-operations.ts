// Contacts in the admin API: reading, tags, subscription, what is stored of them, erasure.
import { type Actor, type Call, type Operation, operation, Type } from '@keelson/sdk'
import { exportContactData } from '../audience/contacts/contact-records.ts'
import { countContacts, listContacts } from '../audience/contacts/list-contacts.ts'
import { namesOfContact, readContactPage } from '../audience/contacts/read-contact-page.ts'
import { scopeSchema } from '../audience/contacts/record-suppressions.ts'
import { changeTags, withTags } from '../audience/contacts/tags.ts'
import { unsubscribe as unsubscribeAddress } from '../audience/contacts/unsubscribe.ts'
import { forget as forgetContact } from '../consent/forget.ts'
import { resubscribe as resubscribeContact } from '../consent/subscribe.ts'
import { journeyHref } from '../delivery/telemetry/mail-events.ts'
import { actingOf } from '../ledger/acting.ts'
import { isMailable } from '../ledger/address.ts'
import { audit } from '../ledger/audit/audit.ts'
import { inputs } from '../ledger/checked-input.ts'
import type { MailerContext } from '../ledger/context.ts'
import { mailRefusals as refusals } from '../ledger/refusals.ts'
import {
  type AdminHost,
  access,
  closed,
  done,
  MAIL_API,
  missing,
  pageParameters
} from './admin-operation.ts'
import {
  contactCountSchema,
  contactDetailSchema,
  contactExportSchema,
  contactFilter,
  contactsSchema
} from './contact-answers.ts'

const base = MAIL_API
const ID = '/contacts/:externalId'
const optional = Type.Optional
const params = Type.Object({ externalId: inputs.externalId })
const tags = Type.Array(inputs.tag, { maxItems: 25 })
const OK = { ok: true } as const

/** What an audit entry says of a change of a contact. */
interface Noted {
  readonly action: string
  readonly before?: unknown
  readonly after?: unknown
}

/** Audits a change of a contact. */
function note(context: MailerContext, id: string, entry: Noted & { readonly actor: Actor }) {
  const { actor, ...more } = entry
  const resource = { collection: context.collections.subscriptions.collectionName, id }
  return audit(context, { ...actingOf(actor), ...more, resource })
}

/** Undefined when the host does not have the contact. */
async function tagsOf(
  context: MailerContext,
  externalId: string
): Promise<readonly string[] | undefined> {
  const contact = await context.adapter.getById(externalId)
  const [tagged] = contact === null ? [] : await withTags(context, [contact])
  return tagged?.tags
}

const list = operation({
  id: 'mailer.contacts.list',
  method: 'GET',
  base,
  path: '/contacts',
  summary: 'Contacts, or those whose id, address or name matches, or of one state',
  access: access.read,
  effect: 'read',
  query: Type.Object({
    ...contactFilter,
    ...pageParameters(200, 200)
  }),
  answer: contactsSchema,
  run: ({ query }, { host }: Call<AdminHost>) => listContacts(host.context, query)
})

const count = operation({
  id: 'mailer.contacts.count',
  method: 'GET',
  base,
  path: '/contact-list/count',
  summary: 'Counts the contacts, or those of one state: beyond 1,000 of a state as an upper bound',
  access: access.read,
  effect: 'read',
  query: Type.Object({ state: contactFilter.state }),
  answer: contactCountSchema,
  run: ({ query }, { host }: Call<AdminHost>) => countContacts(host.context, query)
})

const read = operation({
  id: 'mailer.contacts.read',
  method: 'GET',
  base,
  path: ID,
  summary: 'A contact with what happened lately',
  access: access.read,
  effect: 'read',
  params,
  answer: contactDetailSchema,
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { externalId } }, { host: { context } }: Call<AdminHost>) {
    const contact = await readContactPage(context, externalId)
    if (contact === null) return missing('contact')
    const href = journeyHref(context.config.telemetry?.journeyPath, externalId)
    const names = await namesOfContact(context, contact)
    return { ...contact, names, journeyHref: href }
  }
})

const exportData = operation({
  id: 'mailer.contacts.export',
  method: 'GET',
  base,
  path: `${ID}/export`,
  summary: 'All that is stored of a contact',
  access: access.read,
  effect: 'read',
  params,
  answer: contactExportSchema,
  errors: refusals.only('bad_id'),
  async run({ params: { externalId } }, { host: { context }, actor }: Call<AdminHost>) {
    const data = await exportContactData(context, externalId)
    await note(context, externalId, { actor, action: 'contact.export' })
    return data
  }
})

const tag = operation({
  id: 'mailer.contacts.changeTags',
  method: 'POST',
  base,
  path: `${ID}/tags`,
  summary: 'Adds and removes tags',
  access: access.manageSuppressions,
  effect: 'change',
  hints: { idempotent: true },
  params,
  body: Type.Object({ add: optional(tags), remove: optional(tags) }, closed),
  answer: done,
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { externalId }, body }, { host: { context }, actor }: Call<AdminHost>) {
    const before = await tagsOf(context, externalId)
    if (before === undefined) return missing('contact')
    const { add = [], remove = [] } = body
    await changeTags(context, externalId, { add, remove })
    const states = { before: { tags: before }, after: { tags: await tagsOf(context, externalId) } }
    await note(context, externalId, { actor, action: 'contact.tag', ...states })
    return OK
  }
})

const unsubscribe = operation({
  id: 'mailer.contacts.unsubscribe',
  method: 'POST',
  base,
  path: `${ID}/unsubscribe`,
  summary: 'Unsubscribes a contact',
  access: access.manageSuppressions,
  effect: 'stop',
  hints: { idempotent: true },
  params,
  body: Type.Object(
    {
      scope: optional(scopeSchema),
      reason: optional(inputs.reason),
      notes: optional(inputs.notes)
    },
    closed
  ),
  answer: done,
  errors: refusals.only('bad_id', 'not_found', 'no_address'),
  async run({ params: { externalId }, body }, { host: { context }, actor }: Call<AdminHost>) {
    const contact = await context.adapter.getById(externalId)
    if (contact === null) return missing('contact')
    if (!isMailable(contact.email)) return refusals.refuse('no_address')
    const { scope = 'marketing', ...more } = body
    await unsubscribeAddress(context, contact.email, { scope, source: 'admin', ...more })
    const after = { scope, ...more }
    await note(context, externalId, { actor, action: 'contact.unsubscribe', after })
    return OK
  }
})

const resubscribe = operation({
  id: 'mailer.contacts.resubscribe',
  method: 'POST',
  base,
  path: `${ID}/resubscribe`,
  summary:
    'Takes back unsubscribes, and subscribes; under double opt-in the contact is asked by mail',
  access: access.manageSuppressions,
  effect: 'send',
  hints: { idempotent: true },
  params,
  body: Type.Object(
    { scope: optional(Type.Enum(['marketing', 'all'])), source: optional(inputs.source) },
    closed
  ),
  answer: Type.Object({ ...done.properties, removedSuppressions: Type.Integer() }),
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { externalId }, body }, { host: { context }, actor }: Call<AdminHost>) {
    if ((await context.adapter.getById(externalId)) === null) return missing('contact')
    const input = { externalId, source: 'admin', ...body }
    return { ...OK, ...(await resubscribeContact(context, input, actingOf(actor))) }
  }
})

const forget = operation({
  id: 'mailer.contacts.forget',
  method: 'POST',
  base,
  path: `${ID}/forget`,
  summary: 'Erases a contact for ever; `confirm` repeats its id',
  access: access.manageSuppressions,
  effect: 'change',
  hints: { idempotent: true, destructive: true },
  params,
  body: Type.Object({ confirm: inputs.externalId }, closed),
  answer: done,
  errors: refusals.only('bad_id', 'not_confirmed'),
  async run({ params: { externalId }, body }, { host: { context }, actor }: Call<AdminHost>) {
    if (body.confirm !== externalId)
      return refusals.refuse('not_confirmed', { message: 'confirm must be the id of the contact.' })
    await forgetContact(context, externalId)
    // An id that is an address is personal data: the entry says that it was erased, and not who.
    const { collectionName: collection } = context.collections.subscriptions
    const resource = { collection, ...(!isMailable(externalId) && { id: externalId }) }
    await audit(context, { ...actingOf(actor), action: 'contact.forget', resource })
    return OK
  }
})

/** The operations of contacts. */
export const contactOperations: readonly Operation<AdminHost>[] = [
  list,
  count,
  read,
  exportData,
  tag,
  unsubscribe,
  resubscribe,
  forget
]
