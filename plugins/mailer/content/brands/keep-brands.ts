// The looks of senders: read, changed, and written into templates that are compiled.
import { closed, type Static, Type } from '@keelson/sdk'
import { senderOf } from '../../delivery/sends/compose-mail.ts'
import { domainOf } from '../../ledger/address.ts'
import { audit } from '../../ledger/audit/audit.ts'
import type { Brand } from '../../ledger/brand-row.ts'
import { checkedInput } from '../../ledger/checked-input.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { Acting } from '../../ledger/template-input.ts'
import type { TemplateFields } from '../../ledger/template-rows.ts'
import { brandedFields, DEFAULT_BRAND, usesBrand } from './brand-slots.ts'

/** The look of every sender that has none of its own. */
const DEFAULT_SENDER = 'default'

const colour = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', description: 'As `#0b6e8f`.' })
const line = (maxLength: number) => Type.String({ maxLength, pattern: '^[^\\r\\n]*$' })

/** How the mails of a sender look. */
export const brandSchema = Type.Object(
  {
    accent: colour,
    background: colour,
    surface: colour,
    ink: colour,
    muted: colour,
    font: Type.String({
      pattern: "^[A-Za-z0-9 ,'-]{1,200}$",
      description: 'Names of fonts that readers have, the best first.'
    }),
    logoUrl: Type.String({
      maxLength: 2048,
      pattern: '^(https?://[^\\s"<>{}]+)?$',
      description: 'Empty: the name is shown instead.'
    }),
    logoWidth: Type.Integer({ minimum: 16, maximum: 600, description: 'Pixels.' }),
    name: line(200),
    footer: Type.String({
      maxLength: 2000,
      description: 'Lines at the end of every mail. Slots as `{{senderAddress}}` are filled.'
    }),
    unsubscribe: Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\r\\n]*$' })
  },
  { ...closed, title: 'Brand' }
)

/** The look of one sender. */
export const senderBrandSchema = Type.Object(
  {
    sender: Type.String({ description: 'A sender domain, or `default`.' }),
    isOwn: Type.Boolean({ description: 'false: it is that of `default`.' }),
    brand: brandSchema
  },
  { title: 'SenderBrand' }
)

/** Every sender that has a look: the default, then the sender domains of the configuration. */
const sendersOf = ({ config }: Pick<MailerContext, 'config'>): readonly string[] => [
  DEFAULT_SENDER,
  ...Object.keys(config.senderDomains ?? {}).map((domain) => domain.toLowerCase())
]

const startOf = ({ config }: Pick<MailerContext, 'config'>): Brand => ({
  ...DEFAULT_BRAND,
  name: config.fromDefaults?.name ?? ''
})

type Stored = Pick<MailerContext, 'config' | 'collections'>

/** The looks of all senders. */
export async function listBrands(
  context: Stored
): Promise<readonly Static<typeof senderBrandSchema>[]> {
  const senders = sendersOf(context)
  const rows = await context.collections.brands.find({ _id: { $in: [...senders] } }).toArray()
  const found = new Map(rows.map((row) => [row._id, brandOf(row)]))
  const usual = found.get(DEFAULT_SENDER) ?? startOf(context)
  return senders.map((sender) => ({
    sender,
    isOwn: found.has(sender),
    brand: found.get(sender) ?? usual
  }))
}

const brandOf = ({
  _id,
  updatedAt: _at,
  updatedBy: _by,
  ...brand
}: Brand & { readonly _id: string; readonly updatedAt: Date; readonly updatedBy: string }): Brand =>
  brand

/**
 * Sets the look of a sender. Templates take it over when they are published next; null: there is no such sender.
 *
 * @throws MLR_INPUT_INVALID
 */
export async function setBrand(
  context: MailerContext,
  { sender, brand }: { readonly sender: string; readonly brand: unknown },
  acting: Acting
): Promise<Static<typeof senderBrandSchema> | null> {
  const after = checkedInput('setBrand', brandSchema, brand)
  if (!sendersOf(context).includes(sender)) return null
  const { brands } = context.collections
  const row = { ...after, updatedAt: context.clock.now(), updatedBy: acting.actor }
  await context.withTransaction(async (session) => {
    const before = await brands.findOneAndReplace({ _id: sender }, row, { upsert: true, session })
    const resource = { collection: brands.collectionName, id: sender }
    const entry = { ...acting, action: 'brand.update', resource, after }
    await audit(context, { ...entry, before: before && brandOf(before) }, { session })
  })
  return { sender, isOwn: true, brand: after }
}

/** Fields that are compiled, with the look of their sender. A host whose variables have the root `brand` keeps it. */
export async function brandFields<T extends TemplateFields>(
  context: Stored,
  fields: T
): Promise<T> {
  const { config, collections } = context
  // A host in JavaScript may leave the schema out.
  const schema = config.varsAdapter?.schema as { readonly properties?: object } | undefined
  const roots = schema?.properties
  if (!usesBrand(fields) || (roots !== undefined && Object.hasOwn(roots, 'brand'))) return fields
  const domain = domainOf(senderOf(config, fields)?.email ?? '')
  const rows = await collections.brands.find({ _id: { $in: [DEFAULT_SENDER, domain] } }).toArray()
  const found = rows.find(({ _id }) => _id === domain) ?? rows[0]
  return brandedFields(fields, found === undefined ? startOf(context) : brandOf(found))
}
