// The calls to the shop that a story makes: which customer signed up, came back or bought. Pure.
import type { StoryRecord } from './record.ts'

/** A call of the shop's API. */
export interface ShopCall {
  readonly occurredAt: string
  readonly path: '/sign-ups' | '/visits' | '/orders'
  readonly body: Readonly<Record<string, unknown>>
}

const CUSTOMERS = 200
/** Shares no factor with the number of customers: each is met before one is met twice. */
const STRIDE = 73
/** What people do in the app. */
const IN_APP = new Set(['page.viewed', 'account.activated', 'llm.tokens'])
const ITEMS = {
  pro: { name: 'Acme Pro, one month', price: 49 },
  free: { name: 'Extra tokens, one million', price: 9 }
} as const

/** The calls in the order of the records. Visitors who never sign up make none. */
export function shopCalls(records: readonly StoryRecord[], seed: number): ShopCall[] {
  const customers = new Map<string, string>()
  const inApp = new Set<string>()
  let orders = 0
  return records.flatMap(({ name, occurredAt, subjects, attrs, metrics }): ShopCall[] => {
    const user = subjects?.[0]?.id ?? ''
    if (name === 'account.signed_up') {
      const externalId = `u${1 + ((seed + customers.size * STRIDE) % CUSTOMERS)}`
      customers.set(user, externalId)
      return [{ occurredAt, path: '/sign-ups', body: { externalId } }]
    }
    const externalId = customers.get(user)
    if (externalId === undefined) return []
    if (IN_APP.has(name) && !inApp.has(user)) {
      inApp.add(user)
      return [{ occurredAt, path: '/visits', body: { externalId } }]
    }
    if (name !== 'order.placed') return []
    const items = [itemOf(attrs?.['plan'], metrics?.['amount_usd'] ?? 0)]
    const body = { externalId, orderId: `T${seed}-${++orders}`, items }
    return [{ occurredAt, path: '/orders', body }]
  })
}

function itemOf(plan: string | undefined, amountUsd: number) {
  const { name, price } = plan === 'pro' ? ITEMS.pro : ITEMS.free
  return {
    name,
    quantity: Math.max(1, Math.round(amountUsd / price)),
    amountCents: amountUsd * 100
  }
}
