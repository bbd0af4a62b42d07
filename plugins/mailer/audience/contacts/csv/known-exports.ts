// What other mail services export, by the names of the columns: which rows suppress, and for what. Pure.
import type { SuppressionReason, SuppressionScope } from '../../../contracts/mailer-core.ts'
import { judgeBounce } from '../../../providers/bounces/judge-bounce.ts'
import { type Field, plainName } from './columns.ts'

/** What a row of an export means. `null`: the contact may be mailed. */
export type RowMeaning = {
  readonly reason: SuppressionReason
  readonly scope: SuppressionScope
} | null

/** An export that is known. */
export interface KnownExport {
  readonly id: string
  /** As the vendor calls it. */
  readonly name: string
  /** Names of columns, plain: every one of them is there. */
  readonly has: readonly string[]
  /** Names of columns, plain: the file has no others. */
  readonly isExact?: boolean
  /** Columns that mean something else than their name says. */
  readonly columns?: Readonly<Record<string, Field>>
  /** What a row means, by its cells under their plain names. */
  meaning(cells: Readonly<Record<string, string>>): RowMeaning
}

const BOUNCE: RowMeaning = { reason: 'hard_bounce', scope: 'all' }
const COMPLAINT: RowMeaning = { reason: 'complaint', scope: 'all' }
const LEFT: RowMeaning = { reason: 'unsubscribed', scope: 'marketing' }
const BLOCKED: RowMeaning = { reason: 'manual', scope: 'all' }
const always = (meaning: RowMeaning) => () => meaning
const NOBODY = always(null)

/** What the server said decides, as for the bounces of our own mails. The vendor lists it as a bounce. */
function bounceOf(cells: Readonly<Record<string, string>>): RowMeaning {
  const { status = '', code = '', reason = '', error = '' } = cells
  const replies = [code, status, reason, error].map((text) => /^\s*([45]\d\d)\b/.exec(text)?.[1])
  const reply = replies.find((each) => each !== undefined)
  const judged = judgeBounce({
    words: `${reason} ${error}`.trim(),
    ...(reply !== undefined && { code: Number(reply) }),
    ...(/^[45]\.\d+\.\d+$/.test(status.trim()) && { enhancedCode: status.trim() }),
    // A reply that may pass is not about a mailbox that is gone.
    vendor: reply?.startsWith('4') === true ? 'unknown' : 'mailbox'
  })
  return judged === 'mailbox' ? BOUNCE : null
}

const postmark = ({ suppressionreason, reason, origin }: Readonly<Record<string, string>>) => {
  const word = plainName(suppressionreason ?? reason ?? '')
  if (word === 'hardbounce') return BOUNCE
  if (word === 'spamcomplaint') return COMPLAINT
  return plainName(origin ?? '') === 'recipient' ? LEFT : BLOCKED
}

/** The first that fits counts, so the special ones come before the general ones. */
export const KNOWN_EXPORTS: readonly KnownExport[] = [
  {
    id: 'sendgrid-bounces',
    name: 'SendGrid bounces or blocks',
    has: ['status', 'reason', 'email', 'created'],
    isExact: true,
    columns: { reason: 'notes' },
    meaning: bounceOf
  },
  {
    id: 'sendgrid-invalid',
    name: 'SendGrid invalid emails',
    has: ['reason', 'email', 'created'],
    isExact: true,
    columns: { reason: 'notes' },
    meaning: always(BOUNCE)
  },
  {
    id: 'sendgrid-spam',
    name: 'SendGrid spam reports',
    has: ['ip', 'email', 'created'],
    isExact: true,
    meaning: always(COMPLAINT)
  },
  {
    id: 'sendgrid-unsubscribes',
    name: 'SendGrid unsubscribes',
    has: ['email', 'created'],
    isExact: true,
    meaning: always(LEFT)
  },
  {
    id: 'sendgrid-contacts',
    name: 'SendGrid contacts',
    has: ['email', 'firstname', 'lastname', 'addressline1', 'contactid'],
    meaning: NOBODY
  },
  {
    id: 'mailchimp-unsubscribed',
    name: 'Mailchimp unsubscribed contacts',
    has: ['emailaddress', 'unsubtime'],
    columns: { unsubtime: 'addedAt' },
    meaning: always(LEFT)
  },
  {
    id: 'mailchimp-cleaned',
    name: 'Mailchimp cleaned contacts',
    has: ['emailaddress', 'cleantime'],
    columns: { cleantime: 'addedAt' },
    meaning: always(BOUNCE)
  },
  {
    id: 'mailchimp-contacts',
    name: 'Mailchimp subscribed contacts',
    has: ['emailaddress', 'memberrating'],
    meaning: NOBODY
  },
  {
    id: 'postmark-suppressions',
    name: 'Postmark suppressions',
    has: ['emailaddress', 'suppressionreason', 'origin'],
    meaning: postmark
  },
  {
    id: 'ses-suppressions',
    name: 'Amazon SES suppression list',
    has: ['emailaddress', 'reason', 'lastupdatetime'],
    meaning: ({ reason = '' }) => (plainName(reason) === 'complaint' ? COMPLAINT : BOUNCE)
  },
  {
    id: 'mailgun-bounces',
    name: 'Mailgun bounces',
    has: ['address', 'code', 'error'],
    meaning: bounceOf
  },
  {
    id: 'mailgun-unsubscribes',
    name: 'Mailgun unsubscribes',
    has: ['address', 'tags', 'createdat'],
    meaning: always(LEFT)
  },
  {
    id: 'mailgun-members',
    name: 'Mailgun mailing list members',
    has: ['address', 'vars', 'subscribed'],
    meaning: ({ subscribed = '' }) => (/^(no|false|0)$/i.test(subscribed) ? LEFT : null)
  },
  {
    id: 'mailgun-complaints',
    name: 'Mailgun complaints',
    has: ['address', 'createdat'],
    isExact: true,
    meaning: always(COMPLAINT)
  },
  {
    id: 'listmonk-subscribers',
    name: 'listmonk subscribers',
    has: ['uuid', 'email', 'attributes', 'status'],
    meaning: ({ status = '' }) => (plainName(status) === 'blocklisted' ? BLOCKED : null)
  }
]

/** The export whose columns these names are; undefined: none that is known. */
export function knownExportOf(names: readonly string[]): KnownExport | undefined {
  const plain = new Set(names.map(plainName))
  return KNOWN_EXPORTS.find(
    ({ has, isExact = false }) =>
      has.every((name) => plain.has(name)) && (!isExact || plain.size === has.length)
  )
}

/** Words for reasons, plain. Any other text in a column of reasons is a note. */
const WORDS: Readonly<Record<string, SuppressionReason>> = {
  unsubscribed: 'unsubscribed',
  unsubscribe: 'unsubscribed',
  unsub: 'unsubscribed',
  optout: 'unsubscribed',
  listcleaning: 'list_cleaning',
  manual: 'manual',
  manualsuppression: 'manual',
  blocklisted: 'manual',
  blacklisted: 'manual',
  bounce: 'hard_bounce',
  bounced: 'hard_bounce',
  hardbounce: 'hard_bounce',
  hardbounced: 'hard_bounce',
  invalid: 'hard_bounce',
  cleaned: 'hard_bounce',
  complaint: 'complaint',
  complained: 'complaint',
  spam: 'complaint',
  spamcomplaint: 'complaint',
  spamreport: 'complaint',
  abuse: 'complaint',
  gdprforget: 'gdpr_forget'
}

/** The reason that a word says; undefined: it is not a word for one. */
export const reasonOfWord = (word: string): SuppressionReason | undefined => WORDS[plainName(word)]
