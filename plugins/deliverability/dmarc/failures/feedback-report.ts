// Feedback reports in mails: DMARC failure reports (RFC 6591, 9991) and complaints (RFC 5965). Pure.
import { readAddress, readDomain, readText } from '../aggregate/read-values.ts'

/** What a report mail is made of. */
export interface ReportMail {
  readonly headers: ReadonlyMap<string, string>
  /** The part for people. */
  readonly text: string
  /** The message/feedback-report part. */
  readonly report: string | null
  /** Headers of the mail that it is about. */
  readonly original: ReadonlyMap<string, string>
}

/** Why a receiver sends a report. */
const FEEDBACK_TYPES = [
  'abuse',
  'fraud',
  'virus',
  'other',
  'not-spam',
  'opt-out',
  'auth-failure'
] as const
export type FeedbackType = (typeof FEEDBACK_TYPES)[number]

/** One mail that a receiver reports. */
export interface FeedbackReport {
  readonly feedbackType: FeedbackType
  readonly userAgent: string | null
  readonly arrivedAt: Date | null
  readonly sourceIp: string | null
  /** The domain that the mail claims to come from. */
  readonly reportedDomain: string | null
  /** Which check failed, as `dmarc`, `dkim`, `spf`. */
  readonly authFailure: readonly string[]
  readonly deliveryResult: string | null
  readonly authenticationResults: string | null
  readonly envelopeFrom: string | null
  /** The first recipient; null when the receiver hides it. */
  readonly recipient: string | null
  /** All recipients that it names, at most 100 (RFC 5965 §3.2 allows several). */
  readonly recipients: readonly string[]
  readonly subject: string | null
  /** The Message-ID of the mail that is reported. */
  readonly messageId: string | null
  /** Header of this platform in the mail that is reported. */
  readonly sendId: string | null
}

const TYPES: ReadonlySet<string> = new Set(FEEDBACK_TYPES)
/** Where mails of this platform name their send, next to the Message-ID. */
const SEND_HEADERS = ['x-keelson-send', 'x-smtpapi-send'] as const
const ADDRESS = /[^\s<>"',;:]+@[^\s<>"',;:]+/
const MOST_CHARACTERS = 262_144
const MOST_LINES = 5_000
const MOST_RECIPIENTS = 100
const RECIPIENT_FIELDS = ['original-rcpt-to', 'removal-recipient']
const HIDDEN = /redact|hidden|^x+@|\*\*/i

/** Headers or fields of a report: unfolded, by lower-case name; the first of a name counts. */
export function readFields(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>()
  for (const [key, value] of linesOf(text)) if (!fields.has(key)) fields.set(key, value)
  return fields
}

/** Each field in its place. Of a longer text only the beginning is read. */
function* linesOf(text: string): Generator<readonly [key: string, value: string]> {
  const bounded = text.slice(0, MOST_CHARACTERS)
  const unfolded = bounded.replace(/\r\n?/g, '\n').replace(/\n[ \t]+/g, ' ')
  for (const line of unfolded.split('\n', MOST_LINES)) {
    const [, name, value] = /^([A-Za-z][A-Za-z0-9 -]{0,60}?)\s*:\s*(.*)$/.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    yield [name.toLowerCase().replaceAll(' ', '-'), value.trim()]
  }
}

/** The report; undefined when the mail is none. */
export function readFeedback(mail: ReportMail): FeedbackReport | undefined {
  const apple = mail.headers.get('x-apple-unsubscribe')
  if (mail.report !== null) {
    return fromFields(mail, readFields(mail.report), recipientsIn(mail.report))
  }
  if (apple?.toLowerCase() === 'true') return appleUnsubscribe(mail)
  // Hotmail's notices have the mail and no report; they name the recipient in a header.
  const jmrp = mail.original.get('x-hmxmroriginalrecipient')
  if (jmrp !== undefined) {
    return fromFields(
      mail,
      new Map([
        ['feedback-type', 'abuse'],
        ['original-rcpt-to', jmrp]
      ])
    )
  }
  const fields = readFields(mail.text)
  return isTextReport(fields) ? fromFields(mail, textFields(fields)) : undefined
}

/** Each field may come several times, and some reporters put several addresses into one. */
function recipientsIn(report: string): readonly string[] {
  const named = [...linesOf(report)].filter(([key]) => RECIPIENT_FIELDS.includes(key))
  return named.flatMap(([, value]) => value.slice(0, 10_000).split(/[,;]/).flatMap(addressOrNone))
}

function fromFields(
  { original }: ReportMail,
  fields: ReadonlyMap<string, string>,
  named: readonly string[] = RECIPIENT_FIELDS.flatMap((name) => addressOrNone(fields.get(name)))
): FeedbackReport {
  const type = fields.get('feedback-type')?.toLowerCase() ?? 'other'
  const from = addressOf(original.get('from'))
  const reported = fields.get('reported-domain') ?? from?.slice(from.indexOf('@') + 1)
  const given = named.length > 0 ? named : addressOrNone(original.get('to'))
  const recipients = [...new Set(given)]
    .filter((address) => !HIDDEN.test(address))
    .slice(0, MOST_RECIPIENTS)
  return {
    feedbackType: TYPES.has(type) ? (type as FeedbackType) : 'other',
    userAgent: short(fields.get('user-agent')),
    arrivedAt: time(fields.get('arrival-date') ?? fields.get('received-date')),
    sourceIp: readAddress(fields.get('source-ip')?.split(/\s/)[0]),
    reportedDomain: readDomain(reported),
    authFailure: (fields.get('auth-failure') ?? '')
      .toLowerCase()
      .split(/[\s,]+/)
      .filter(Boolean),
    deliveryResult: short(fields.get('delivery-result'))?.toLowerCase() ?? null,
    authenticationResults: short(fields.get('authentication-results')),
    envelopeFrom: addressOf(fields.get('original-mail-from')),
    recipient: recipients[0] ?? null,
    recipients,
    subject: short(original.get('subject')),
    messageId: short(original.get('message-id') ?? fields.get('message-id')),
    sendId: sendIdOf(original)
  }
}

/**
 * Apple sends the wish of a person who asked Mail to unsubscribe. Anybody can write such a mail: it names one
 * of ours as an answer does.
 */
function appleUnsubscribe(mail: ReportMail): FeedbackReport {
  const fields = new Map([
    ['feedback-type', 'opt-out'],
    ['original-rcpt-to', mail.headers.get('from') ?? ''],
    ['message-id', mail.headers.get('in-reply-to') ?? '']
  ])
  return fromFields(mail, fields)
}

/** Reports that are written for people only, as some gateways send them. */
function isTextReport(fields: ReadonlyMap<string, string>): boolean {
  const has = (...names: readonly string[]) => names.some((name) => fields.has(name))
  return has('source-ip', 'sender-ip-address') && has('reported-domain', 'sender-domain')
}

function textFields(fields: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const named = new Map(fields)
  const copy = (from: string, to: string) => {
    const value = fields.get(from)
    if (value !== undefined && !named.has(to)) named.set(to, value)
  }
  copy('sender-ip-address', 'source-ip')
  copy('sender-domain', 'reported-domain')
  copy('dmarc-results', 'delivery-result')
  if (!named.has('feedback-type')) named.set('feedback-type', 'auth-failure')
  const failed = ['spf', 'dkim'].filter((check) => fields.get(`${check}-alignment`) === 'no')
  if (!named.has('auth-failure')) named.set('auth-failure', failed.join(' '))
  return named
}

function sendIdOf(original: ReadonlyMap<string, string>): string | null {
  for (const name of SEND_HEADERS) {
    const value = readText(original.get(name)?.slice(0, 256))
    if (value !== null) return value
  }
  return null
}

function addressOf(value: string | undefined): string | null {
  const [address] = ADDRESS.exec(value?.slice(0, 1_000) ?? '') ?? []
  return address?.toLowerCase() ?? null
}

const addressOrNone = (value: string | undefined): readonly string[] =>
  [addressOf(value)].filter((address) => address !== null)

function short(value: string | undefined): string | null {
  return readText(value?.slice(0, 1_000))
}

function time(value: string | undefined): Date | null {
  const found = Date.parse(value?.replace(/\s*\([^)]*\)\s*$/, '') ?? '')
  return Number.isNaN(found) ? null : new Date(found)
}
