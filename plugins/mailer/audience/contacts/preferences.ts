// What a recipient chooses: a pause of marketing mail, and the categories to receive.
import { DURABLE, Type } from '@keelson/sdk'
import { addressHash, normalAddress } from '../../ledger/address.ts'
import { checkedInput, inputs } from '../../ledger/checked-input.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { findSuppressions } from './find-suppressions.ts'
import { keepChoices } from './keep-choices.ts'
import { suppressionId, suppressionIds } from './merge-suppression.ts'
import { recordSuppressions } from './record-suppressions.ts'
import { isInForce, suppressionThatBlocks } from './suppression-rules.ts'

const DAY_MS = 86_400_000
const pauseSchema = Type.Object({
  email: inputs.email,
  days: Type.Integer({ minimum: 1, maximum: 365 })
})

/** What a recipient receives. */
export interface Preferences {
  /** Lower case. */
  readonly email: string
  /** Whether marketing mail is sent at all; a pause does not count. */
  readonly isSubscribed: boolean
  readonly pausedUntil: Date | null
  /** The configured categories. */
  readonly categories: readonly CategoryPreference[]
}

/** One category, and whether it is sent to the recipient. */
export interface CategoryPreference {
  readonly id: string
  readonly label: string
  readonly description?: string
  readonly isSubscribed: boolean
}

/**
 * Holds marketing mail to an address for some days, counted from now; a later pause replaces it.
 *
 * @param options.days 1 to 365
 * @throws MLR_INPUT_INVALID
 */
export async function pauseMarketing(
  { collections, clock }: MailerContext,
  email: string,
  options: { readonly days: number }
): Promise<{ readonly pausedUntil: Date }> {
  const { days } = checkedInput('pauseMarketing', pauseSchema, { ...options, email })
  const now = clock.now()
  const pausedUntil = new Date(now.getTime() + days * DAY_MS)
  const pause = {
    email: normalAddress(email),
    emailHash: addressHash(email),
    scope: 'marketing_pause',
    reason: 'manual',
    source: 'preferences',
    addedAt: now,
    expiresAt: pausedUntil
  } as const
  const filter = { _id: suppressionId(email, 'marketing_pause') }
  await collections.suppressions.replaceOne(filter, pause, { upsert: true, ...DURABLE })
  const step = { email, what: 'paused', until: pausedUntil, source: 'preferences' } as const
  await keepChoices({ collections, clock }, [step])
  return { pausedUntil }
}

/** Ends a pause. @throws MLR_INPUT_INVALID */
export async function resumeMarketing(context: MailerContext, email: string): Promise<void> {
  checkedInput('resumeMarketing', inputs.email, email)
  const filter = { _id: { $in: [...suppressionIds(email, 'marketing_pause')] } }
  const { deletedCount } = await context.collections.suppressions.deleteMany(filter, DURABLE)
  const step = { email, what: 'resumed', source: 'preferences' } as const
  if (deletedCount > 0) await keepChoices(context, [step])
}

/** What an address receives now. @throws MLR_INPUT_INVALID */
export async function getPreferences(context: MailerContext, email: string): Promise<Preferences> {
  checkedInput('getPreferences', inputs.email, email)
  const now = context.clock.now()
  const rows = (await findSuppressions(context, [email])).get(email) ?? []
  const isPause = ({ scope }: { readonly scope: string }) => scope === 'marketing_pause'
  const lasting = rows.filter((row) => !isPause(row))
  const pause = rows.find((row) => isPause(row) && isInForce(row, now))
  const isSent = (category?: string) =>
    suppressionThatBlocks(lasting, 'marketing', category, now) === undefined
  const { categories = [] } = context.config
  return {
    email: normalAddress(email),
    isSubscribed: isSent(),
    pausedUntil: pause?.expiresAt ?? null,
    categories: categories.map((category) => ({ ...category, isSubscribed: isSent(category.id) }))
  }
}

/**
 * Sets the categories that an address receives; the other ones are unsubscribed. An unsubscribe from all
 * marketing mail stays.
 *
 * @param choice.categories ids of configured categories
 * @throws MLR_INPUT_INVALID
 */
export async function setPreferences(
  context: MailerContext,
  email: string,
  choice: { readonly categories: readonly string[] }
): Promise<void> {
  const ids = (context.config.categories ?? []).map(({ id }) => id)
  const schema = Type.Object({ email: inputs.email, categories: Type.Array(Type.Enum(ids)) })
  const { categories } = checkedInput('setPreferences', schema, { ...choice, email })
  const scopeOf = (id: string) => `category:${id}` as const
  const unwanted = ids.filter((id) => !categories.includes(id))
  const suppressions = unwanted.map(
    (id) => ({ email, scope: scopeOf(id), reason: 'unsubscribed', source: 'preferences' }) as const
  )
  await context.withTransaction(async (session) => {
    const own = ids.flatMap((id) => suppressionIds(email, scopeOf(id)))
    const before = await context.collections.suppressions
      .find({ _id: { $in: own } }, { session })
      .toArray()
    await recordSuppressions(context, suppressions, { session })
    const wanted = categories.flatMap((id) => suppressionIds(email, scopeOf(id)))
    const filter = { _id: { $in: wanted }, reason: 'unsubscribed' } as const
    await context.collections.suppressions.deleteMany(filter, { session })
    const rowOf = (id: string) => before.find(({ scope }) => scope === scopeOf(id))
    const off = unwanted.filter((id) => rowOf(id) === undefined)
    const on = categories.filter((id) => rowOf(id)?.reason === 'unsubscribed')
    const choice = (what: 'categoryOn' | 'categoryOff') => (category: string) =>
      ({ email, what, category, source: 'preferences' }) as const
    const choices = [...off.map(choice('categoryOff')), ...on.map(choice('categoryOn'))]
    await keepChoices(context, choices, { session })
  })
}
