// What enhanced status codes (RFC 3463, RFC 5248 and their registry) say of a refusal. Pure.
import type { BounceClass } from '../../contracts/mailer-provider.ts'

/** Codes of a refusal for good, or of a later one, that are clear by themselves; the class digit is left out. */
const CLEAR: Readonly<Record<string, BounceClass>> = {
  '1.1': 'mailbox',
  '1.2': 'mailbox',
  '1.3': 'mailbox',
  '1.6': 'mailbox',
  // About the sender, not the recipient.
  '1.7': 'policy',
  '1.8': 'policy',
  '1.10': 'mailbox',
  '2.2': 'mailbox_full',
  '2.3': 'content',
  '3.1': 'routing',
  '3.2': 'routing',
  '3.4': 'content',
  '3.5': 'routing',
  '4.2': 'routing',
  '4.3': 'routing',
  '4.4': 'routing',
  '4.5': 'routing',
  '4.6': 'routing',
  '4.8': 'routing',
  '4.14': 'routing',
  '5.3': 'policy',
  '7.8': 'policy',
  // Owner of the mailbox or domain has changed (RFC 7293).
  '7.17': 'mailbox',
  '7.18': 'mailbox',
  '7.20': 'policy',
  '7.21': 'policy',
  '7.22': 'policy',
  '7.23': 'policy',
  '7.24': 'policy',
  '7.25': 'policy',
  '7.26': 'policy',
  '7.27': 'policy',
  '7.28': 'block',
  '7.29': 'policy',
  '7.30': 'policy',
  '7.32': 'policy',
  '7.515': 'policy'
}

/** Groups in which the words decide, and what is meant when they do not. */
const OPEN: readonly (readonly [RegExp, BounceClass | undefined])[] = [
  // Exchange Online: banned senders and addresses, and tenants over their limits.
  [/^7\.(50[1-8]|51[0-4]|6\d\d|7\d\d)$/, 'block'],
  [/^1\.90$/, 'block'],
  [/^1\.20$/, 'policy'],
  [/^6\./, 'content'],
  [/^7\./, 'policy'],
  [/^2\.1$/, 'mailbox'],
  [/^4\./, 'routing']
]

/** Codes that only wrap what another server said, as "expired": a code inside says more. */
const WRAPPING = /^(0\.0|3\.0|4\.0|4\.1|4\.7|4\.300|5\.0|5\.1|1\.0|2\.0)$/

/** A code, without its class digit. */
const detailOf = (code: string): string => code.slice(2)

/** The class that a code alone names. A mailbox is gone only for good: class 4 never says so. */
export function clearClassOf(code: string): BounceClass | undefined {
  const found = CLEAR[detailOf(code)]
  return found === 'mailbox' && !code.startsWith('5') ? 'unknown' : found
}

/** The class of a code whose words say nothing. */
export function openClassOf(code: string): BounceClass | undefined {
  const found = OPEN.find(([pattern]) => pattern.test(detailOf(code)))?.[1]
  return found === 'mailbox' && !code.startsWith('5') ? 'unknown' : found
}

/** The code that says most: the first that does not only wrap another. */
export function decisiveCode(codes: readonly string[]): string | undefined {
  return codes.find((code) => !WRAPPING.test(detailOf(code))) ?? codes[0]
}

/** Whether a refusal with this code is about security or policy: its words cannot be about the mailbox. */
export const isAboutPolicy = (code: string): boolean => code.slice(1).startsWith('.7.')
