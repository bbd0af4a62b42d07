// A stored mail as it may be shown: links of its recipient look alike and change nothing. Pure.

import type { ResolvedConfig } from '../../ledger/check-config.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import type { WebhookEventRow } from '../../ledger/webhook-row.ts'
import { signPreview } from './unsubscribe-token.ts'

const FIELDS = ['vars', 'event', 'links', 'clickedLinks', 'details'] as const

/** What a link of a mail may be in: a confirmation mail has its link among its variables. */
type Held = Partial<
  Pick<SendRow, 'vars' | 'event' | 'links' | 'clickedLinks'> & Pick<WebhookEventRow, 'details'>
>

/** The routes of the mailer whose addresses let their reader act. */
const ACTING = /\/m\/(unsub|confirm-doi)\/[\w.-]+/g

/** Reading never hands out what can change something: not to administrators, not to tokens. */
export function withoutCredentials<T extends Held>(config: ResolvedConfig, row: T): T {
  const { unsubscribeSecret } = config
  const preview = (_found: string, route: string) =>
    `/m/${route}/${signPreview({ email: '', scope: 'marketing' }, new Date(0), unsubscribeSecret)}`
  const shown = (value: unknown): unknown => {
    if (typeof value === 'string') return value.replace(ACTING, preview)
    if (Array.isArray(value)) return value.map(shown)
    if (!isPlain(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shown(each)]))
  }
  const held = FIELDS.filter((field) => row[field] !== undefined)
  return { ...row, ...Object.fromEntries(held.map((field) => [field, shown(row[field])])) }
}

/** Dates and other values of BSON stay as they are. */
const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
