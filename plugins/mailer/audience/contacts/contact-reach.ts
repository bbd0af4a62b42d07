// What mail a contact gets now, and why not: by kind, by category, by the contact policy. Pure.
import type { ConsentStep, SubscriptionRow, SuppressionRow } from '../../ledger/contact-rows.ts'
import type { PolicyCause } from '../policy/contact-policy.ts'
import { judgeMail, type PolicyConfig } from '../policy/mail-policy.ts'
import type { RecentMail } from '../policy/recent-mail.ts'
import { suppressionThatBlocks } from './suppression-rules.ts'

/** What is known about a contact. */
export interface ReachFacts {
  readonly config: PolicyConfig
  /** The contact has an address that can be mailed. */
  readonly isMailable: boolean
  readonly subscription: Pick<SubscriptionRow, 'status'> | null
  readonly suppressions: readonly SuppressionRow[]
  readonly steps: readonly ConsentStep[]
  readonly timezone: string | undefined
  /** Marketing mail that was handed over to the address. */
  readonly recent: readonly RecentMail[]
  readonly now: Date
}

/** Whether mail of a kind is sent. */
export interface Reach {
  readonly isSent: boolean
  /** `no_address`, `not_subscribed`, a status of the subscription, a reason of a suppression, or `paused`. */
  readonly reason?: string
  /** When it is sent again by itself. */
  readonly until?: Date
}

/** A category, with what the contact chose about it. */
export interface CategoryReach {
  readonly id: string
  readonly label: string
  readonly isOn: boolean
  readonly steps: readonly ConsentStep[]
}

/** How near the contact is to the limits of the policy; the parts that are configured. */
export interface PolicyReach {
  readonly perDays?: { readonly days: number; readonly count: number; readonly sent: number }
  readonly minGap?: { readonly hours: number; readonly lastAt?: Date }
  readonly quietHours?: { readonly start: string; readonly end: string; readonly timezone: string }
  /** What keeps the next marketing mail, and until when. */
  readonly waits?: { readonly cause: PolicyCause; readonly until?: Date }
}

/** What mail a contact gets. */
export interface ContactReach {
  readonly marketing: Reach
  readonly transactional: Reach
  readonly categories: readonly CategoryReach[]
  /** Left out without a policy. */
  readonly policy?: PolicyReach
}

/** All of it. */
export function contactReach(facts: ReachFacts): ContactReach {
  const policy = policyReachOf(facts)
  return {
    marketing: marketingReach(facts),
    transactional: reachOf(facts, 'transactional') ?? SENT,
    categories: categoriesOf(facts),
    ...(policy !== undefined && { policy })
  }
}

const SENT: Reach = { isSent: true }

/** The subscription says more than the suppression that came with its end. */
function marketingReach(facts: ReachFacts): Reach {
  const blocked = reachOf(facts, 'marketing')
  if (blocked !== undefined && blocked.reason !== 'unsubscribed') return blocked
  const status = facts.subscription?.status ?? 'not_subscribed'
  if (status !== 'subscribed') return { isSent: false, reason: status }
  return blocked ?? SENT
}

/** Undefined when nothing blocks the address. */
function reachOf(
  { isMailable, suppressions, now }: ReachFacts,
  kind: 'marketing' | 'transactional'
): Reach | undefined {
  if (!isMailable) return { isSent: false, reason: 'no_address' }
  const row = suppressionThatBlocks(suppressions, kind, undefined, now)
  if (row === undefined) return undefined
  const reason = row.scope === 'marketing_pause' ? 'paused' : row.reason
  return { isSent: false, reason, ...(row.expiresAt !== null && { until: row.expiresAt }) }
}

const categoriesOf = ({ config, suppressions, steps, now }: ReachFacts): CategoryReach[] =>
  (config.categories ?? []).map(({ id, label }) => {
    const own = suppressions.filter(({ scope }) => scope === `category:${id}`)
    return {
      id,
      label,
      isOn: suppressionThatBlocks(own, 'marketing', id, now) === undefined,
      steps: steps.filter(({ category }) => category === id)
    }
  })

const DAY_MS = 86_400_000

function policyReachOf({ config, timezone, recent, now }: ReachFacts): PolicyReach | undefined {
  const { contactPolicy } = config
  if (contactPolicy === undefined) return undefined
  const { minGapHours: hours, maxPerRollingDays: most, quietHours } = contactPolicy
  const times = recent.map(({ at }) => at.getTime())
  const verdict = judgeMail(config, { now, queuedAt: now, timezone }, recent)
  const lastAt = times.length === 0 ? {} : { lastAt: new Date(Math.max(...times)) }
  return {
    ...(most !== undefined && {
      perDays: { ...most, sent: times.filter((at) => at > +now - most.days * DAY_MS).length }
    }),
    ...(hours !== undefined && { minGap: { hours, ...lastAt } }),
    ...(quietHours !== undefined && {
      quietHours: { ...quietHours, timezone: timezone ?? contactPolicy.defaultTimezone ?? 'UTC' }
    }),
    ...(verdict.kind !== 'go' && {
      waits: {
        cause: verdict.cause,
        ...(verdict.kind === 'wait' && { until: verdict.until })
      }
    })
  }
}
