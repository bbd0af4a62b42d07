// Contacts in the admin API: reading, tags, subscription, what is stored of them, erasure.
import { Type } from '@keelson/sdk'
import { exportContactData, readContact } from '../audience/contacts/contact-records.ts'
import { forget } from '../audience/contacts/forget.ts'
import { listContacts } from '../audience/contacts/list-contacts.ts'
import { resubscribe } from '../audience/contacts/subscribe.ts'
import { changeTags, withTags } from '../audience/contacts/tags.ts'
import { unsubscribe } from '../audience/contacts/unsubscribe.ts'
import { journeyHref } from '../delivery/telemetry/mail-events.ts'
import { isMailable } from '../ledger/address.ts'
import { audit } from '../ledger/audit/audit.ts'
import { checkedInput, inputs } from '../ledger/checked-input.ts'
import { defined } from '../ledger/defined.ts'
import {
  type AdminCall,
  type AdminRefusal,
  type AdminRoute,
  fieldsOf,
  notFound,
  pageOf
} from './admin-route.ts'

const closed = { additionalProperties: false } as const
const optional = Type.Optional
const tags = Type.Array(inputs.tag, { maxItems: 25 })
const tagsBody = Type.Object({ add: optional(tags), remove: optional(tags) }, closed)
const unsubscribeBody = Type.Object(
  {
    scope: optional(Type.Enum(['all', 'marketing', 'transactional'])),
    reason: optional(inputs.reason),
    notes: optional(inputs.notes)
  },
  closed
)
const resubscribeBody = Type.Object(
  { scope: optional(Type.Enum(['marketing', 'all'])), source: optional(inputs.source) },
  closed
)
/** An erasure cannot be undone: the id is repeated. */
const forgetBody = Type.Object({ confirm: inputs.externalId }, closed)

const idOf = ({ params }: AdminCall) => params['externalId'] ?? ''

const refused = (code: string, message: string): AdminRefusal => ({ ok: false, code, message })

interface AuditedChange {
  readonly before?: unknown
  readonly after?: unknown
}

/** Audits a change of the contact that the address names. */
function note(call: AdminCall, action: string, change: AuditedChange = {}): Promise<void> {
  const { context, acting } = call
  const resource = { collection: context.collections.subscriptions.collectionName, id: idOf(call) }
  return audit(context, { ...acting, action, resource, ...change })
}

async function tagsOfContact(call: AdminCall): Promise<readonly string[]> {
  const contact = await call.context.adapter.getById(idOf(call))
  const [tagged] = contact === null ? [] : await withTags(call.context, [contact])
  return tagged?.tags ?? []
}

/** A route that changes a contact, which must be there. */
const change = (
  name: string,
  summary: string,
  handler: (call: AdminCall, email: string) => Promise<object | AdminRefusal>
): AdminRoute => ({
  method: 'POST',
  path: `/contacts/:externalId/${name}`,
  summary,
  permission: 'canManageSuppressions',
  handler: async (call) => {
    const contact = await call.context.adapter.getById(idOf(call))
    if (contact === null) return notFound('The contact')
    const result = await handler(call, contact.email)
    return 'code' in result ? (result as AdminRefusal) : { body: { ok: true, ...result } }
  }
})

/** Routes below `/contacts`. */
export const contactRoutes: readonly AdminRoute[] = [
  {
    method: 'GET',
    path: '/contacts',
    summary: 'Contacts, or those whose id, address or name matches; by `search`',
    handler: async ({ context, query }) => {
      const search = defined({ search: query['search'] })
      return { body: await listContacts(context, { ...pageOf(query), ...search }) }
    }
  },
  {
    method: 'GET',
    path: '/contacts/:externalId',
    summary: 'A contact with what happened lately',
    handler: async (call) => {
      const { context } = call
      const contact = await readContact(context, idOf(call))
      if (contact === null) return notFound('The contact')
      const href = journeyHref(context.config.telemetry?.journeyPath, idOf(call))
      return { body: { ...contact, ...defined({ journeyHref: href }) } }
    }
  },
  {
    method: 'GET',
    path: '/contacts/:externalId/export',
    summary: 'All that is stored of a contact',
    handler: async (call) => {
      const body = await exportContactData(call.context, idOf(call))
      await note(call, 'contact.export')
      return { body }
    }
  },
  change('tags', 'Adds and removes tags', async (call) => {
    const { add = [], remove = [] } = checkedInput('tags', tagsBody, call.body)
    const before = { tags: await tagsOfContact(call) }
    await changeTags(call.context, idOf(call), { add, remove })
    await note(call, 'contact.tag', { before, after: { tags: await tagsOfContact(call) } })
    return {}
  }),
  change('unsubscribe', 'Unsubscribes a contact', async (call, email) => {
    const { scope = 'marketing', ...more } = checkedInput('unsubscribe', unsubscribeBody, call.body)
    if (!isMailable(email)) return refused('no_address', 'The contact has no mail address.')
    await unsubscribe(call.context, email, { scope, source: 'admin', ...more })
    await note(call, 'contact.unsubscribe', { after: { scope, ...more } })
    return {}
  }),
  change('resubscribe', 'Takes back unsubscribes, and subscribes', async (call) => {
    const { source = 'admin', ...more } = checkedInput('resubscribe', resubscribeBody, call.body)
    const input = { externalId: idOf(call), source, ...more }
    return resubscribe(call.context, input, call.acting)
  }),
  {
    method: 'POST',
    path: '/contacts/:externalId/forget',
    summary: 'Erases a contact for ever; `confirm` repeats its id',
    permission: 'canManageSuppressions',
    handler: async (call) => {
      const { confirm } = checkedInput('forget', forgetBody, fieldsOf(call.body))
      if (confirm !== idOf(call))
        return refused('not_confirmed', 'confirm must be the id of the contact.')
      await forget(call.context, confirm)
      // An id that is an address is personal data: the entry says that it was erased, and not who.
      const { collectionName: collection } = call.context.collections.subscriptions
      const resource = { collection, ...(!isMailable(confirm) && { id: confirm }) }
      await audit(call.context, { ...call.acting, action: 'contact.forget', resource })
      return { body: { ok: true } }
    }
  }
]
