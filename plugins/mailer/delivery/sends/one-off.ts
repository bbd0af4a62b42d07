// Queues one mail to one contact, as the host asks for it.
import { type Static, Type } from '@keelson/sdk'
import type { OneOffMail, OperatorMail } from '../../contracts/mailer-core.ts'
import { errors } from '../../errors.ts'
import { isMailable, normalAddress } from '../../ledger/address.ts'
import { checkedInput, inputs } from '../../ledger/checked-input.ts'
import type { MailerContext } from '../../ledger/context.ts'
import type { PreparedTemplate } from '../../ledger/prepared-template.ts'
import { dedupeKeys } from '../../ledger/send-id.ts'
import { chooseProvider } from '../../providers/choose-provider.ts'
import { queueSends } from './queue-sends.ts'

const MAX_VARIABLES = 64 * 1024
/** Variables of one mail. */
export const variables = Type.Refine(
  Type.Record(Type.String(), Type.Unknown()),
  (value) => JSON.stringify(value).length <= MAX_VARIABLES,
  () => 'must be JSON of at most 64 kB'
)
const MAX_ATTACHED = 7 * 1024 * 1024
const attachment = Type.Object(
  {
    filename: Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\r\\n/\\\\]*$' }),
    contentType: Type.String({ maxLength: 127, pattern: '^[\\w.+-]+/[\\w.+-]+$' }),
    content: Type.Refine(
      Type.Unsafe<Buffer>(Type.Unknown()),
      Buffer.isBuffer,
      () => 'must be a Buffer'
    ),
    contentId: Type.Optional(Type.String({ maxLength: 255, pattern: '^[\\w.@+-]+$' }))
  },
  { additionalProperties: false }
)
const attachments = Type.Refine(
  Type.Array(attachment, { maxItems: 10 }),
  (files) => files.reduce((sum, { content }) => sum + content.length, 0) <= MAX_ATTACHED,
  () => 'must be at most 7 MB together'
)
const oneOffSchema = Type.Object({
  templateSlug: inputs.slug,
  externalId: inputs.externalId,
  vars: Type.Optional(variables),
  providerOverride: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  attachments: Type.Optional(attachments),
  dedupeKey: inputs.dedupeKey
})
const operatorSchema = Type.Object({
  to: inputs.email,
  subject: Type.String({ minLength: 1, maxLength: 500, pattern: '^[^\\r\\n]*$' }),
  text: Type.String({ minLength: 1, maxLength: 100_000 }),
  dedupeKey: inputs.dedupeKey
})

/**
 * Queues one mail. The same `dedupeKey` is the same mail, for ever: its id comes back, and nothing is sent
 * twice.
 *
 * @throws MLR_INPUT_INVALID, MLR_TEMPLATE_UNPUBLISHED, MLR_CONTACT_UNKNOWN, MLR_PROVIDER_UNKNOWN
 */
export async function sendOneOff(
  context: MailerContext,
  mail: OneOffMail
): Promise<{ readonly sendId: string }> {
  const checked = checkedInput('sendOneOff', oneOffSchema, mail)
  const { templateSlug, externalId, providerOverride, vars, attachments: files } = checked
  const template = await publishedTemplate(context, templateSlug)
  checkProvider(context, checked, template)
  const contact = await context.adapter.getById(externalId)
  if (contact === null) throw errors.MLR_CONTACT_UNKNOWN({ externalId })
  const dedupeKey = dedupeKeys.oneOff(checked.dedupeKey)
  const { email } = contact
  const { ids } = await queueSends(context, [
    {
      dedupeKey,
      lane: 'urgent',
      externalId,
      kind: template.kind,
      templateSlug,
      ...(isMailable(email) && { emailAtSend: normalAddress(email) }),
      ...(template.category !== undefined && { category: template.category }),
      ...(providerOverride !== undefined && { providerOverride }),
      ...(vars !== undefined && { vars }),
      ...(files !== undefined && files.length > 0 && { attachments: files })
    }
  ])
  return { sendId: ids.get(dedupeKey) as string }
}

/**
 * Queues a mail to the people who run the platform: no contact, no template, no tracking.
 *
 * @throws MLR_INPUT_INVALID
 */
export async function notify(
  context: MailerContext,
  mail: OperatorMail
): Promise<{ readonly isNew: boolean }> {
  const { to, subject, text, dedupeKey } = checkedInput('notify', operatorSchema, mail)
  const email = normalAddress(to)
  const { added } = await queueSends(context, [
    {
      dedupeKey: dedupeKeys.operator(dedupeKey),
      lane: 'urgent',
      externalId: '',
      emailAtSend: email,
      kind: 'transactional',
      templateSlug: '',
      operatorMail: { to: email, subject, text }
    }
  ])
  return { isNew: added > 0 }
}

async function publishedTemplate(
  { templates }: MailerContext,
  slug: string
): Promise<PreparedTemplate> {
  const template = (await templates.load([slug])).get(slug)
  if (template === undefined) throw errors.MLR_TEMPLATE_UNPUBLISHED({ slug })
  return template
}

function checkProvider(
  { config, providers }: MailerContext,
  { providerOverride: override }: Static<typeof oneOffSchema>,
  { kind, providerOverride: template }: PreparedTemplate
): void {
  const choice = chooseProvider({ override, template, kind }, config, providers)
  if ('name' in choice) return
  const names = [...providers.keys()].join(', ')
  throw errors.MLR_PROVIDER_UNKNOWN({ name: choice.unknown, names })
}
