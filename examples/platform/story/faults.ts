// What goes wrong in the shop, by release: a fault that is always there, one that was mended, one that is new, and one bad afternoon.
import type { ErrorFrame } from '@keelson/telemetry'
import type { Chance } from './random.ts'
import type { RecordFields } from './record.ts'
import type { Release } from './releases.ts'

const HOUR_MS = 3_600_000

interface Fault {
  readonly type: string
  readonly message: string
  readonly code: string
  readonly frames: readonly ErrorFrame[]
  /** How often, among the faults of a release. */
  readonly weight: number
  /** Releases that have it; all without. */
  readonly releases?: readonly Release[]
}

const frame = (fn: string, filename: string, lineno: number): ErrorFrame => ({
  fn,
  filename,
  lineno,
  colno: 11,
  inApp: !filename.startsWith('node:')
})

const FAULTS: readonly Fault[] = [
  {
    type: 'PaymentError',
    message: 'The card was declined',
    code: 'E_CARD',
    weight: 4,
    frames: [frame('charge', 'src/checkout/charge.ts', 58), frame('pay', 'src/checkout/pay.ts', 31)]
  },
  {
    type: 'TimeoutError',
    message: 'The search took too long',
    code: 'E_TIMEOUT',
    weight: 2,
    frames: [
      frame('search', 'src/catalog/search.ts', 77),
      frame('listOnTimeout', 'node:internal/timers', 581)
    ]
  },
  {
    type: 'TypeError',
    message: "Cannot read properties of undefined (reading 'price')",
    code: 'E_VIEW',
    weight: 6,
    releases: ['shop@1.2.0', 'shop@1.3.0'],
    frames: [
      frame('priceOf', 'src/catalog/price-of.ts', 12),
      frame('ProductList', 'src/catalog/product-list.ts', 44)
    ]
  },
  {
    type: 'RangeError',
    message: 'Invalid currency code: undefined',
    code: 'E_CURRENCY',
    weight: 9,
    releases: ['shop@1.4.0'],
    frames: [
      frame('formatTotal', 'src/checkout/total.ts', 23),
      frame('Summary', 'src/checkout/summary.ts', 9)
    ]
  }
]

/** What everybody met while the payment provider was down. */
const OUTAGE: Fault = {
  type: 'UpstreamError',
  message: 'The payment provider answered 503',
  code: 'E_UPSTREAM',
  weight: 1,
  frames: [
    frame('request', 'src/payments/client.ts', 102),
    frame('charge', 'src/checkout/charge.ts', 55)
  ]
}
const OUTAGE_BEGAN_MS = 101 * HOUR_MS
const OUTAGE_TOOK_MS = 5 * HOUR_MS

/** Whether the provider was down, a few days before the end of the story. */
export function isOutage(atMs: number, endMs: number): boolean {
  const beforeEnd = endMs - atMs
  return beforeEnd <= OUTAGE_BEGAN_MS && beforeEnd > OUTAGE_BEGAN_MS - OUTAGE_TOOK_MS
}

function told({ type, message, code, frames }: Fault): RecordFields {
  return {
    severity: 'error',
    attrs: { code },
    error: { type, message, fingerprint: `${type}:${code}`, handled: false, frames }
  }
}

/** One of the faults of a release. */
export function faultOf(chance: Chance, release: Release): RecordFields {
  const possible = FAULTS.filter(({ releases }) => releases?.includes(release) ?? true)
  return told(chance.oneOf(possible.map((fault) => [fault, fault.weight] as const)))
}

export const outage = (): RecordFields => told(OUTAGE)
