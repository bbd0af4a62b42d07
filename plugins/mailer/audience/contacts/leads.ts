// Leads: addresses that were left on a form and are not contacts of the host yet.
import { DURABLE, type Static, Type } from '@keelson/sdk'
import { errors } from '../../errors.ts'
import { addressHash, addressHashes, normalAddress } from '../../ledger/address.ts'
import { checkedInput, inputs } from '../../ledger/checked-input.ts'
import type { LeadRow } from '../../ledger/contact-rows.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'

const MAX_FIELDS_LENGTH = 16_384
const fields = Type.Record(Type.String({ maxLength: 128 }), Type.Unknown(), { maxProperties: 100 })
const leadSchema = Type.Object({
  email: inputs.email,
  source: inputs.source,
  capturedFields: Type.Optional(
    Type.Refine(
      fields,
      (value) => JSON.stringify(value).length <= MAX_FIELDS_LENGTH,
      () => `must have at most ${MAX_FIELDS_LENGTH} characters as JSON`
    )
  ),
  consentTimestamp: Type.Optional(inputs.date),
  consentIp: Type.Optional(inputs.ip),
  consentUserAgent: Type.Optional(inputs.userAgent)
})

/** A lead as a form captures it; `capturedFields` takes at most 100 fields and 16 KiB. */
export type NewLead = Static<typeof leadSchema>

/** Keeps a lead, one per address; a later capture updates it. @throws MLR_INPUT_INVALID */
export async function captureLead(
  { collections, clock }: MailerContext,
  lead: NewLead
): Promise<void> {
  const { email, capturedFields = {}, ...more } = checkedInput('captureLead', leadSchema, lead)
  const { source, consentTimestamp, consentIp, consentUserAgent } = more
  const captured = { source, capturedFields, consentTimestamp, consentIp, consentUserAgent }
  await collections.leads.updateOne(
    { _id: addressHash(email) },
    {
      $set: defined(captured),
      $setOnInsert: { email: normalAddress(email), status: 'lead', createdAt: clock.now() }
    },
    { upsert: true, ...DURABLE }
  )
}

/** Marks a lead as the contact that it became. @throws MLR_INPUT_INVALID, MLR_LEAD_UNKNOWN */
export async function promoteLead(
  context: MailerContext,
  email: string,
  externalId: string
): Promise<void> {
  checkedInput('promoteLead', inputs.externalId, externalId)
  await settleLead(context, email, { status: 'promoted', promotedToExternalId: externalId })
}

/** Marks a lead as unwanted. @throws MLR_INPUT_INVALID, MLR_LEAD_UNKNOWN */
export function rejectLead(context: MailerContext, email: string): Promise<void> {
  return settleLead(context, email, { status: 'rejected' })
}

async function settleLead(
  { collections }: MailerContext,
  email: string,
  change: Partial<LeadRow>
): Promise<void> {
  checkedInput('settleLead', inputs.email, email)
  const filter = { _id: { $in: [...addressHashes(email)] } }
  const { matchedCount } = await collections.leads.updateOne(filter, { $set: change }, DURABLE)
  if (matchedCount === 0) throw errors.MLR_LEAD_UNKNOWN()
}
