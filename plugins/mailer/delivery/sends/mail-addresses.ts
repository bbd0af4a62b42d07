// The addresses that a mail carries: unsubscribe, preferences, tracking. Pure.
import { signPreview, signUnsubscribe } from '../../audience/contacts/unsubscribe-token.ts'
import type { ResolvedConfig } from '../../ledger/check-config.ts'
import type { MailAddresses, PreparedTemplate } from '../../ledger/prepared-template.ts'
import { linkIdOf } from '../../ledger/send-id.ts'
import type { SendRow } from '../../ledger/send-row.ts'
import { clickAddress, honeypotAddress, openAddress, viewAddress } from './tracking-addresses.ts'

const DAY_MS = 86_400_000

/** What the addresses of a mail depend on. */
export interface AddressFacts {
  readonly config: ResolvedConfig
  readonly send: Pick<SendRow, '_id' | 'kind' | 'category'>
  readonly template: Pick<PreparedTemplate, 'trackOpens' | 'trackClicks' | 'bodyFormat'>
  readonly email: string
  readonly now: Date
  /** The mail is shown and not sent: its addresses look alike, and the public routes change nothing for them. */
  readonly isPreview?: boolean
}

/** Marketing mail carries an unsubscribe address; opens and clicks are tracked where config and template say so. */
export function mailAddresses(facts: AddressFacts): MailAddresses {
  const { config, send, template, email, now, isPreview = false } = facts
  const { publicUrl, unsubscribeSecret: secret } = config
  const base = { publicUrl, secret }
  const isTracked = template.bodyFormat !== 'text_only'
  const unsubscribeUrl = send.kind === 'marketing' ? unsubscribeAddress() : null
  return {
    unsubscribeUrl,
    preferencesUrl: unsubscribeUrl,
    viewInBrowserUrl: viewAddress(base, send._id, isPreview ? 'preview' : 'view'),
    ...(isTracked && template.trackOpens && { openPixelUrl: openAddress(base, send._id) }),
    ...(isTracked &&
      template.trackClicks && {
        honeypotUrl: honeypotAddress(base, send._id),
        linkId: (target: string) => linkIdOf(secret, send._id, target),
        clickUrl: (linkId: string) => clickAddress(base, send._id, linkId)
      })
  }

  function unsubscribeAddress(): string {
    const expiresAt = new Date(now.getTime() + config.unsubscribeTokenLifetimeDays * DAY_MS)
    const category = send.category === undefined ? {} : { category: send.category }
    const request = { email, scope: 'marketing', sendId: send._id, ...category } as const
    const sign = isPreview ? signPreview : signUnsubscribe
    return `${publicUrl}/m/unsub/${sign(request, expiresAt, secret)}`
  }
}

/** The headers of a marketing mail (RFC 2369, RFC 8058, RFC 2919 for mail with a category). */
export function listHeaders(
  unsubscribeUrl: string | null,
  category: string | undefined,
  fromDomain: string
): Readonly<Record<string, string>> {
  if (unsubscribeUrl === null) return {}
  return {
    'List-Unsubscribe': `<${unsubscribeUrl}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    ...(category !== undefined && { 'List-ID': `<${category}.${fromDomain}>` })
  }
}
