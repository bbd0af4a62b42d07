// Creates and copies broadcasts, and changes or deletes them while they are drafts.
import { randomUUID } from 'node:crypto'
import { closed, optional, type Static, Type } from '@keelson/sdk'
import { checkSegment } from '../../audience/segments/check-segment.ts'
import { namesIn } from '../../audience/segments/named-segments.ts'
import { compilerOf } from '../../content/templates/compiler-of.ts'
import { audit } from '../../ledger/audit/audit.ts'
import type { BroadcastRow, StopRules, Variant } from '../../ledger/broadcast-row.ts'
import { checkedInput, inputs } from '../../ledger/checked-input.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import { DEFAULTS } from '../../ledger/schema.ts'
import { messageOf } from '../../ledger/send-update.ts'
import { armsOf } from './arms.ts'
import {
  type Actor,
  type Change,
  type Changed,
  changeBroadcast,
  type Editing,
  type Refusal
} from './change-broadcast.ts'

const percent = optional(Type.Number({ minimum: 0, maximum: 100 }))
const name = Type.String({ minLength: 1, maxLength: 200 })
const nullable = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
  optional(Type.Union([schema, Type.Null()]))

/** Limits at which a broadcast stops by itself. Those that are left out are those of the configuration. */
export const stopRulesSchema = Type.Object(
  {
    enabled: optional(Type.Boolean()),
    hardBounceRatePct: percent,
    complaintRatePct: percent,
    unsubscribeRatePct: percent,
    minSample: optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 }))
  },
  closed
)

const subject = Type.String({
  minLength: 1,
  maxLength: 998,
  description: 'In the place of that of the template.'
})
const preheader = Type.String({
  maxLength: 998,
  description: 'In the place of that of the template.'
})

const variant = Type.Object(
  {
    name,
    templateSlug: inputs.slug,
    subject: optional(subject),
    preheader: optional(preheader)
  },
  closed
)

const splitTest = Type.Object(
  {
    variants: Type.Array(variant, { minItems: 2, maxItems: 10 }),
    testPercent: Type.Number({ exclusiveMinimum: 0, maximum: 100 }),
    winner: Type.Enum(['human_opens', 'human_clicks']),
    decideAfterHours: Type.Number({ minimum: 0, maximum: 720 })
  },
  closed
)

/** A cap on recipients; null: none. */
export const recipientCapSchema = Type.Union([
  Type.Integer({ minimum: 1, maximum: 10_000_000 }),
  Type.Null()
])

const everyMinutes = Type.Integer({
  minimum: 1,
  maximum: 43_200,
  description: 'From the begin of a wave to that of the next.'
})
const wavePlan = Type.Union([
  Type.Object(
    {
      people: Type.Integer({
        minimum: 1,
        maximum: 10_000_000,
        description: 'People of each wave.'
      }),
      everyMinutes
    },
    closed
  ),
  Type.Object(
    {
      percent: Type.Number({
        minimum: 1,
        maximum: 100,
        description: 'Share of all recipients in each wave.'
      }),
      everyMinutes
    },
    closed
  )
])

const fields = {
  name,
  templateSlug: inputs.slug,
  subject: nullable(subject),
  preheader: nullable(preheader),
  segmentDefinition: Type.Object({}),
  respectRecipientTimezone: optional(Type.Boolean()),
  recipientCap: optional(recipientCapSchema),
  order: nullable(
    Type.Object(
      {
        field: Type.String({ minLength: 1, maxLength: 128 }),
        direction: Type.Enum(['asc', 'desc'])
      },
      closed
    )
  ),
  wavePlan: nullable(wavePlan),
  stopRules: optional(stopRulesSchema),
  splitTest: nullable(splitTest)
}

/** What a broadcast is made of. */
export const newBroadcastSchema = Type.Object({ slug: inputs.slug, ...fields }, closed)
/** What changes in a draft; what is left out stays. null removes a setting. */
export const broadcastDraftSchema = Type.Partial(Type.Object(fields), closed)

/** What a broadcast is made of. */
export type NewBroadcast = Static<typeof newBroadcastSchema>
/** What changes in a draft. */
export type BroadcastDraft = Static<typeof broadcastDraftSchema>

/** Why a broadcast was not made or changed. */
export type DraftRefusal =
  | Refusal<
      | 'template_not_found'
      | 'template_not_marketing'
      | 'order_unsupported'
      | 'variants_not_distinct'
    >
  | (Refusal<'invalid_segment' | 'invalid_texts'> & { readonly message: string })

/** Makes a draft. @throws MLR_INPUT_INVALID */
export async function createBroadcast(
  context: MailerContext,
  input: NewBroadcast,
  by: Actor
): Promise<
  { readonly ok: true; readonly broadcast: BroadcastRow } | DraftRefusal | Refusal<'slug_taken'>
> {
  const checked = checkedInput('createBroadcast', newBroadcastSchema, input)
  const refusal = await draftRefusal(context, checked)
  if (refusal !== undefined) return refusal
  const { broadcasts } = context.collections
  const broadcast = newRow(context, checked, by.actor)
  const { _id: id, slug } = broadcast
  const resource = { collection: broadcasts.collectionName, id, slug }
  return context.withTransaction(async (session) => {
    const taken = await broadcasts.findOne({ slug }, { session, projection: { _id: 1 } })
    if (taken !== null) return { ok: false, code: 'slug_taken' } as const
    await broadcasts.insertOne(broadcast, { session })
    await audit(
      context,
      { ...by, action: 'broadcast.create', resource, after: checked },
      { session }
    )
    return { ok: true, broadcast } as const
  })
}

/** Changes a draft. @throws MLR_INPUT_INVALID */
export async function changeDraft(
  context: MailerContext,
  slug: string,
  input: BroadcastDraft,
  by: Editing
): Promise<Changed<DraftRefusal | Refusal<'not_draft'>>> {
  const checked = checkedInput('changeBroadcast', broadcastDraftSchema, input)
  const refusal = await draftRefusal(context, checked)
  if (refusal !== undefined) return refusal
  return changeBroadcast(context, { slug }, by, (broadcast): Change | Refusal<'not_draft'> => {
    if (broadcast.status !== 'draft') return { ok: false, code: 'not_draft' }
    const { stopRules, ...rest } = checked
    const fields = withoutNulls(rest)
    const merged = stopRules && { stopRules: mergedRules(broadcast.stopRules, stopRules) }
    return { ok: true, action: 'broadcast.update', fields: { ...fields, ...merged } }
  })
}

/** What a copy is named. Without a name: that of the broadcast, and "(copy)". */
export const broadcastCopySchema = Type.Object({ slug: inputs.slug, name: optional(name) }, closed)

/** Makes a draft with the content of a broadcast. */
export async function duplicateBroadcast(
  context: MailerContext,
  slug: string,
  copy: Static<typeof broadcastCopySchema>,
  by: Actor
): Promise<Awaited<ReturnType<typeof createBroadcast>> | Refusal<'not_found'>> {
  const source = await context.collections.broadcasts.findOne({ slug })
  if (source === null) return { ok: false, code: 'not_found' }
  const { templateSlug, segmentDefinition, respectRecipientTimezone, stopRules } = source
  const { recipientCap, wavePlan, order, splitTest, subject, preheader } = source
  const fields = { templateSlug, segmentDefinition, respectRecipientTimezone, stopRules }
  const draft = {
    name: `${source.name} (copy)`.slice(0, 200),
    ...copy,
    ...fields,
    ...defined({ recipientCap, wavePlan, order, splitTest, subject, preheader })
  }
  return createBroadcast(context, draft as NewBroadcast, by)
}

/** Makes a draft with the content of a broadcast, for people who got its mail and did not open it. */
export async function resendBroadcast(
  context: MailerContext,
  slug: string,
  copy: Static<typeof broadcastCopySchema>,
  by: Actor
): Promise<
  Awaited<ReturnType<typeof createBroadcast>> | Refusal<'not_found'> | Refusal<'not_started'>
> {
  const source = await context.collections.broadcasts.findOne({ slug })
  if (source === null) return { ok: false, code: 'not_found' }
  if (source.startedAt === undefined) return { ok: false, code: 'not_started' }
  const { respectRecipientTimezone, stopRules } = source
  const [first, ...others] = armsOf(source)
  const won = others.find((arm) => arm.name === source.winner) ?? first
  const filters = [
    { kind: 'received', broadcastSlug: slug },
    { kind: 'notOpened', broadcastSlug: slug }
  ]
  const draft: NewBroadcast = {
    name: `${source.name} (again)`.slice(0, 200),
    ...copy,
    templateSlug: won?.templateSlug ?? source.templateSlug,
    ...won?.texts,
    segmentDefinition: { filters },
    respectRecipientTimezone,
    stopRules
  }
  return createBroadcast(context, draft, by)
}

/** Deletes a draft: it has sent nothing. */
export function deleteDraft(
  context: MailerContext,
  slug: string,
  by: Actor
): Promise<{ readonly ok: true } | Refusal<'not_found' | 'not_draft'>> {
  const { broadcasts } = context.collections
  return context.withTransaction(async (session) => {
    const row = await broadcasts.findOne({ slug }, { session })
    if (row === null) return { ok: false, code: 'not_found' } as const
    if (row.status !== 'draft') return { ok: false, code: 'not_draft' } as const
    await broadcasts.deleteOne({ _id: row._id }, { session })
    const resource = { collection: broadcasts.collectionName, id: row._id, slug }
    const entry = { ...by, action: 'broadcast.delete', resource, before: row }
    await audit(context, entry, { session })
    return { ok: true } as const
  })
}

/** Rules with some of their limits replaced. */
export function mergedRules(
  rules: StopRules,
  changes: Static<typeof stopRulesSchema> = {}
): StopRules {
  return { ...rules, ...changes }
}

function newRow(
  { config, clock }: MailerContext,
  { stopRules, ...input }: NewBroadcast,
  createdBy: string
): BroadcastRow {
  const now = clock.now()
  const rules = mergedRules(DEFAULTS.stopRules, config.broadcastStopRules)
  const row = {
    _id: randomUUID(),
    respectRecipientTimezone: false,
    ...withoutNulls(input),
    status: 'draft',
    queuedCount: 0,
    stopRules: mergedRules(rules, stopRules),
    createdBy,
    createdAt: now,
    updatedAt: now
  } as const
  const entries = Object.entries(row).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as unknown as BroadcastRow
}

/** null is how a caller removes a field. */
function withoutNulls<T extends object>(input: T) {
  const entries = Object.entries(input).map(([key, value]) => [key, value ?? undefined])
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], null> }
}

/** What is wrong with the definition of a segment, for people; undefined when it can be used. */
export function segmentFault(definition: unknown): string | undefined {
  const checked = checkSegment(definition)
  return checked.ok ? undefined : checked.message
}

/** The refusal of a segment that is malformed, or that names one that is not there. */
async function segmentRefusal(
  { collections }: Pick<MailerContext, 'collections'>,
  definition: unknown
): Promise<(Refusal<'invalid_segment'> & { readonly message: string }) | undefined> {
  if (definition === undefined) return undefined
  const checked = checkSegment(definition)
  if (!checked.ok) return { ok: false, code: 'invalid_segment', message: checked.message }
  const named = [...new Set(namesIn(checked.definition.filters))]
  if (named.length === 0) return undefined
  const known = await collections.segments.countDocuments({ slug: { $in: named } })
  if (known === named.length) return undefined
  return { ok: false, code: 'invalid_segment', message: 'A segment that it names was not found.' }
}

/** Slots that cannot be filled are found while it is a draft. */
function textsRefusal(
  context: MailerContext,
  { subject, preheader, splitTest }: BroadcastDraft
): (Refusal<'invalid_texts'> & { readonly message: string }) | undefined {
  const { engine } = compilerOf(context)
  const own = [subject, preheader]
  const all = (splitTest?.variants ?? []).flatMap((one) => [one.subject, one.preheader])
  for (const text of [...own, ...all]) {
    try {
      engine.compile(text ?? '', 'text')
    } catch (error) {
      return { ok: false, code: 'invalid_texts', message: `${text}: ${messageOf(error)}` }
    }
  }
  return undefined
}

const keyOfVariant = ({ templateSlug, subject, preheader }: Variant): string =>
  JSON.stringify([templateSlug, subject, preheader])

async function draftRefusal(
  context: MailerContext,
  draft: BroadcastDraft
): Promise<DraftRefusal | undefined> {
  const { adapter, collections } = context
  const { segmentDefinition, order, templateSlug, splitTest } = draft
  const wrong =
    (await segmentRefusal({ collections }, segmentDefinition)) ?? textsRefusal(context, draft)
  if (wrong !== undefined) return wrong
  if (order && adapter.supportsSort !== true) return { ok: false, code: 'order_unsupported' }
  const variants = splitTest?.variants.map((variant) => variant.templateSlug) ?? []
  const names = new Set(splitTest?.variants.map((variant) => variant.name))
  const mails = new Set(splitTest?.variants.map(keyOfVariant))
  if (mails.size < variants.length || names.size < variants.length)
    return { ok: false, code: 'variants_not_distinct' }
  const slugs = templateSlug === undefined ? variants : [templateSlug, ...variants]
  const templates = await collections.templates
    .find({ slug: { $in: slugs } }, { projection: { slug: 1, kind: 1 } })
    .toArray()
  const kinds = new Map(templates.map(({ slug, kind }) => [slug, kind]))
  if (slugs.some((slug) => !kinds.has(slug))) return { ok: false, code: 'template_not_found' }
  if (slugs.some((slug) => kinds.get(slug) !== 'marketing'))
    return { ok: false, code: 'template_not_marketing' }
  return undefined
}
