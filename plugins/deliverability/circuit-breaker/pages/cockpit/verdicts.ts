// Can I send now, why not, what next: the verdict on each sender domain and kind. Pure.
import type { Worded } from '@keelson/ui'
import type { Bucket, Health, Trip } from '../api.ts'
import { type Rate, ratesOf } from '../rates.ts'

export type Answer = 'no' | 'care' | 'yes'
type Kind = Bucket['kind']

/** A line of the readiness checklist. */
export interface ReadinessItem {
  readonly id: string
  readonly label: string
  readonly state: 'met' | 'warn' | 'failed' | 'unknown'
  readonly message: string
  readonly said?: Worded['said']
  readonly hint?: string
  readonly hintSaid?: Worded['said']
  readonly fix?: { readonly name: string; readonly type: string; readonly value: string }
  readonly requiredBy: readonly string[]
}

/** A source that sends mail with the domain in From. */
export interface Sender {
  readonly sourceIp: string
  readonly ptr: string | null
  readonly label: string | null
  readonly ignored: boolean
  readonly messages: number
  readonly aligned: number
  readonly dkim: number
  readonly spf: number
  readonly lastSeen: string
}

export interface Senders {
  readonly shown: readonly Sender[]
  readonly total: number
}

export interface Readiness {
  readonly domain: string
  readonly state: ReadinessItem['state']
  readonly items: readonly ReadinessItem[]
  /** Who sends for it by DMARC reports; missing without any. */
  readonly senders?: Senders
  /** What DMARC reports say; missing without any. */
  readonly alignment?: {
    readonly rate: number | null
    readonly messages: number
    readonly currentPolicy: 'none' | 'quarantine' | 'reject'
    readonly series: readonly { readonly day: string; readonly alignmentRate: number | null }[]
    readonly conditions: {
      readonly reports: number
      readonly minReports: number
      readonly messages: number
      readonly minMessages: number
      readonly aligned: number | null
      readonly minAligned: number
    } | null
  }
}

export interface GmailDay {
  readonly date: string
  readonly userReportedSpamRatio: number | null
  readonly inboundEncryptionRatio?: number | null
  readonly deliveryErrors?: readonly { readonly errorRatio: number }[]
}

export interface GmailDomain {
  readonly domain: string
  readonly level: 'ok' | 'warn' | 'trip'
  readonly message: string
  readonly said?: Worded['said']
  /** What Gmail requires of senders, and whether the domain meets it. */
  readonly compliance?: readonly { readonly status: string }[]
  readonly latest: GmailDay | null
  readonly history: readonly GmailDay[]
}

export interface Listing {
  readonly target: string
  readonly targetKind: 'domain' | 'ip'
  readonly listLabel: string
  readonly result: 'clean' | 'listed' | 'error'
  readonly category: 'reputation' | 'abused' | 'policy' | null
  /** What the list says about the target, in its own words. */
  readonly codes: readonly { readonly meaning: string }[]
}

/** Everything that the page has read; null where no plugin answers, undefined until it does. */
export interface CockpitFacts {
  readonly health: Health
  /** Newest first. */
  readonly trips?: readonly Trip[] | undefined
  readonly readiness?:
    | { readonly domains: readonly Readiness[]; readonly dnsChecks?: boolean }
    | null
    | undefined
  readonly gmail?:
    | { readonly configured?: boolean; readonly domains: readonly GmailDomain[] }
    | null
    | undefined
  readonly lists?: { readonly checks: readonly Listing[] } | null | undefined
}

/** What the page says about one sender domain and kind. Words of plugins are given as they are. */
export interface Verdict {
  /** `acme.test|marketing`, as in the address. */
  readonly id: string
  readonly domain: string | null
  readonly kind: Kind
  readonly answer: Answer
  /** Key of the words, with their values; or the words of a plugin. */
  readonly why: Words
  readonly next: Words
  /** False: nothing is known against it, and what receivers require was not checked. */
  readonly isCertain: boolean
  readonly rates: readonly Rate[]
  readonly bucket: Bucket | undefined
}

export interface Words {
  readonly key: string
  readonly values?: Readonly<Record<string, string | number>>
  /** What a plugin says: the value `text` of the key. */
  readonly text?: Worded
  /** Key of what comes before the text, as its label. */
  readonly label?: string
}

const plain = (message: string | null, said: Worded['said']): Words => ({
  key: 'cockpit.plain',
  text: { message: message ?? '', said }
})

const words = (key: string, values?: Readonly<Record<string, string | number>>): Words =>
  values === undefined ? { key } : { key, values }
const ORDER: Readonly<Record<Answer, number>> = { no: 0, care: 1, yes: 2 }

/** One for each bucket, and a marketing one for domains without mail; the gravest first. */
export function verdictsOf(facts: CockpitFacts): readonly Verdict[] {
  const { buckets } = facts.health
  const known = new Set(buckets.map(({ senderDomain }) => senderDomain))
  const silent = (facts.readiness?.domains ?? []).filter(({ domain }) => !known.has(domain))
  const judged = [
    ...buckets.map((bucket) => judge(facts, bucket.senderDomain, bucket.kind, bucket)),
    ...silent.map(({ domain }) => judge(facts, domain, 'marketing', undefined))
  ]
  return judged.sort((a, b) => ORDER[a.answer] - ORDER[b.answer] || a.id.localeCompare(b.id))
}

function judge(
  facts: CockpitFacts,
  domain: string | null,
  kind: Kind,
  bucket: Bucket | undefined
): Verdict {
  const rates = bucket === undefined ? [] : ratesOf(bucket, facts.health.thresholds)
  const head = { id: `${domain ?? ''}|${kind}`, domain, kind, rates, bucket }
  const said = sentence(facts, head)
  return { ...head, ...said, isCertain: said.answer !== 'yes' || isChecked(facts, domain) }
}

/** Whether everything that receivers require of the domain was looked at. */
function isChecked({ readiness }: CockpitFacts, domain: string | null): boolean {
  const items = readiness?.domains.find((one) => one.domain === domain)?.items ?? []
  return (
    items.length > 0 &&
    items.every(({ state, requiredBy }) => state !== 'unknown' || requiredBy.length === 0)
  )
}

type Sentence = Pick<Verdict, 'answer' | 'why' | 'next'>
type Head = Pick<Verdict, 'id' | 'domain' | 'kind' | 'bucket'>

function sentence(facts: CockpitFacts, head: Head): Sentence {
  const { bucket, kind } = head
  if (bucket?.status === 'tripped' && kind === 'marketing') {
    return {
      answer: 'no',
      why: plain(bucket.trippedReason, bucket.trippedSaid),
      next: words('cockpit.nextTripped')
    }
  }
  return (
    ofRates(head) ??
    (kind === 'marketing' ? ofReceivers(facts, head) : undefined) ??
    ofReadiness(facts, head) ??
    good(facts, head)
  )
}

function ofRates({ bucket }: Head): Sentence | undefined {
  if (bucket?.status === 'degraded') {
    return { answer: 'care', why: words('cockpit.degraded'), next: words('cockpit.nextDegraded') }
  }
  if (bucket?.warning == null) return undefined
  const why = plain(bucket.warning, bucket.warningSaid)
  return { answer: 'care', why, next: words('cockpit.nextWarning') }
}

/** What receivers and lists say about the domain. */
function ofReceivers({ gmail, lists }: CockpitFacts, { domain }: Head): Sentence | undefined {
  const listings = (lists?.checks ?? []).filter(
    ({ target, result, category }) =>
      target === domain && result === 'listed' && category !== 'policy'
  )
  // A list of abused domains says nothing about the mail that the domain sends.
  const listed = listings.find(({ category }) => category !== 'abused') ?? listings[0]
  if (listed !== undefined) {
    const meaning = listed.codes.map((code) => code.meaning).join('; ')
    const why = words('cockpit.listed', { list: listed.listLabel, meaning })
    const isAbused = listed.category === 'abused'
    return {
      answer: 'care',
      why,
      next: words(isAbused ? 'cockpit.nextAbused' : 'cockpit.nextListed')
    }
  }
  const google = gmail?.domains.find((one) => one.domain === domain)
  if (google === undefined || google.level === 'ok') return undefined
  const why = plain(google.message, google.said)
  return { answer: 'care', why, next: words('cockpit.nextSpam') }
}

function ofReadiness({ readiness }: CockpitFacts, { domain }: Head): Sentence | undefined {
  const items = readiness?.domains.find((one) => one.domain === domain)?.items ?? []
  const failed = items.find(({ state, id }) => state === 'failed' && id !== 'spam_rate')
  if (failed === undefined) return undefined
  const { id, message, said, hint, hintSaid } = failed
  const next = hint === undefined ? words('cockpit.nextReady') : plain(hint, hintSaid)
  const why = { ...plain(message, said), key: 'cockpit.labelled', label: `requirement.${id}` }
  return { answer: 'care', why, next }
}

/** After a resume without mail since: by whom, and after what. */
function resumed({ trips = [] }: CockpitFacts, { id, bucket }: Head): Words | undefined {
  const at = bucket?.manuallyResumedAt
  if (at == null) return undefined
  const own = trips.filter(({ resource }) => resource.slug === id || resource.id === id)
  const by = own.find(({ action }) => action === 'health.resume')?.actor ?? ''
  const { reason = null, said } = own.find(({ action }) => action === 'health.trip')?.after ?? {}
  const values = { at: String(at), by: by.slice(by.indexOf(':') + 1) }
  if (reason === null) return words('cockpit.resumedPlain', values)
  return { key: 'cockpit.resumed', values, text: { message: reason, said } }
}

function good(facts: CockpitFacts, head: Head): Sentence {
  const { bucket, kind } = head
  const sent = bucket?.counters.sent ?? 0
  const why =
    sent === 0
      ? (resumed(facts, head) ?? words('cockpit.quiet'))
      : words('cockpit.good', { count: sent })
  const next = kind === 'transactional' ? words('cockpit.neverHeld') : words('cockpit.nextNothing')
  return { answer: 'yes', why, next }
}
