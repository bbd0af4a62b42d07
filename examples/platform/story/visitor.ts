// The story of one visitor of a small shop: what they did and when, as records for ingest.
import type { ErrorInfo, Severity, StateInfo, UsageInfo } from '@keelson/telemetry'
import type { Chance } from './random.ts'

/** A record as it goes over the wire to `POST /ingest`. */
export interface StoryRecord {
  readonly _id: string
  readonly name: string
  readonly occurredAt: string
  readonly subjects?: readonly { readonly type: string; readonly id: string }[]
  readonly attrs?: Readonly<Record<string, string>>
  readonly metrics?: Readonly<Record<string, number>>
  readonly error?: ErrorInfo
  readonly state?: StateInfo
  readonly usage?: UsageInfo
  readonly traceId?: string
  readonly severity?: Severity
}

const SOURCES = [
  ['direct', 30],
  ['search', 34],
  ['ads', 14],
  ['blog', 12],
  ['newsletter', 10]
] as const
const PATHS = [
  ['/', 30],
  ['/pricing', 18],
  ['/docs', 16],
  ['/features', 14],
  ['/blog/launch', 8],
  ['/signup', 9],
  ['/account', 5]
] as const
const ERRORS = [
  ['TypeError', 'Cannot read properties of undefined', 'E_VIEW', 5],
  ['PaymentError', 'The card was declined', 'E_CARD', 4],
  ['TimeoutError', 'The search took too long', 'E_TIMEOUT', 2]
] as const
const MODELS = [
  ['small', 70],
  ['large', 30]
] as const
const REASONS = [
  ['price', 5],
  ['missing feature', 3],
  ['moved away', 2]
] as const

/** Follows one visitor from `startMs` on; everything happens before `endMs`. */
export function followVisitor(
  chance: Chance,
  userId: string,
  startMs: number,
  endMs: number
): StoryRecord[] {
  const records: StoryRecord[] = []
  const source = chance.oneOf(SOURCES)
  const plan = chance.oneOf([
    ['free', 7],
    ['pro', 3]
  ] as const)
  const traceId = chance.hex(32)
  let at = startMs
  const tell = (name: string, waitMs: number, more: Partial<StoryRecord>) => {
    at += chance.around(waitMs)
    if (at >= endMs) return
    const subjects = [{ type: 'user', id: userId }]
    records.push({
      _id: chance.hex(32),
      name,
      occurredAt: new Date(at).toISOString(),
      subjects,
      ...more
    })
  }
  const view = (path: string) =>
    tell('page.viewed', 20_000, {
      attrs: { path, source },
      metrics: { load_ms: Math.round(chance.around(240)) },
      traceId
    })

  for (let pages = 1 + chance.below(5); pages > 0; pages--) view(chance.oneOf(PATHS))
  if (chance.happens(0.06)) tell('app.error', 2000, { ...errorOf(chance), traceId })
  if (!chance.happens(0.22)) return records
  view('/signup')
  tell('account.signed_up', 40_000, { attrs: { plan, source }, traceId })
  if (chance.happens(0.62)) tell('account.activated', 300_000, {})
  if (chance.happens(0.35)) tell('order.placed', 240_000, orderOf(chance, plan))
  if (chance.happens(0.4)) tell('llm.tokens', 120_000, usageOf(chance, userId))
  if (chance.happens(0.15)) tell('ticket.status', 200_000, { state: { key: 'ticket', to: 'open' } })
  if (chance.happens(0.04))
    tell('account.cancelled', 400_000, { attrs: { reason: chance.oneOf(REASONS) } })
  return records
}

function errorOf(chance: Chance): Partial<StoryRecord> {
  const [type, message, code] = chance.oneOf(ERRORS.map((row) => [row, row[3]] as const))
  const fingerprint = `${type}:${code}`
  return {
    severity: 'error',
    attrs: { code },
    error: { type, message, fingerprint, handled: false }
  }
}

function orderOf(chance: Chance, plan: string): Partial<StoryRecord> {
  const amount = plan === 'pro' ? 49 : 9
  return {
    attrs: { plan, currency: 'USD' },
    metrics: { amount_usd: amount * (1 + chance.below(3)) }
  }
}

function usageOf(chance: Chance, userId: string): Partial<StoryRecord> {
  const model = chance.oneOf(MODELS)
  const quantity = 200 + chance.below(4000)
  const price = model === 'large' ? 0.00003 : 0.000004
  return {
    attrs: { model },
    metrics: { cost_usd: Math.round(quantity * price * 1e6) / 1e6 },
    usage: {
      meter: 'tokens',
      quantity,
      unit: 'token',
      idempotencyKey: chance.hex(32),
      billedTo: `user:${userId}`
    }
  }
}
