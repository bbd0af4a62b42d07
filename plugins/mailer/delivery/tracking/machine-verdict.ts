// Whether an open or click was made by a machine, with reasons. Pure.
import type { HoneypotVisit, StoredClick, StoredOpen, TrackedLink } from '../../ledger/send-row.ts'

/**
 * Why a hit is a machine's. `agent`: its user agent says so; `vendor`: the mail service does; `head`: it asked for headers alone;
 * `prefetch`: a browser fetched ahead; `too_soon`: no person is that fast; `all_links`: it followed every
 * link at once; `honeypot`: it followed a link that people do not see.
 */
export type MachineReason =
  | 'agent'
  | 'vendor'
  | 'head'
  | 'prefetch'
  | 'too_soon'
  | 'all_links'
  | 'honeypot'

/** Parts of user agents of mail gateways, crawlers and programs; lower case. */
const AGENTS = [
  'mimecast',
  'safelinks',
  'proofpoint',
  'barracuda',
  'messagelabs',
  'symantec',
  'trendmicro',
  'cloudmark',
  'fireeye',
  'sophos',
  'zscaler',
  'fortinet',
  'virustotal',
  'urlscan',
  'headlesschrome',
  'phantomjs',
  'puppeteer',
  'playwright',
  // Well-behaved crawlers name a page about themselves.
  '+http',
  'googlebot',
  'bingbot',
  'bingpreview',
  'slackbot',
  'skypeuripreview',
  'whatsapp',
  'curl/',
  'wget/',
  'python-',
  'go-http-client',
  'java/',
  'okhttp',
  'apache-httpclient',
  'libwww-perl',
  'node-fetch',
  'axios/',
  'undici'
] as const
/** Whole user agents of programs, as undici sends it. */
const PROGRAMS: ReadonlySet<string> = new Set(['node', 'deno', 'bun'])

/** A mail client's proxy that fetches all images in advance names nothing else. */
const FETCHES_IMAGES_AHEAD = 'mozilla/5.0'

/** Whether a user agent is a machine's. Make it once: `more` are parts that the host configured. */
export function agentTest(more: readonly string[] = []): (userAgent: string) => boolean {
  const parts = [...AGENTS, ...more.map((part) => part.toLowerCase())]
  const pattern = new RegExp(parts.map((part) => part.replace(/[^a-z0-9]/g, '\\$&')).join('|'))
  return (userAgent) => {
    const agent = userAgent.toLowerCase()
    return PROGRAMS.has(agent) || pattern.test(agent)
  }
}

/** What a request tells of itself. */
export interface Visit {
  readonly method?: string
  readonly userAgent?: string | undefined
  readonly isPrefetch?: boolean
}

/** Reasons that the request itself gives. A missing user agent is none. */
export function judgeVisit(
  { method, userAgent = '', isPrefetch = false }: Visit,
  isMachineAgent: (userAgent: string) => boolean
): MachineReason[] {
  return [
    ...(isMachineAgent(userAgent) ? (['agent'] as const) : []),
    ...(method === 'HEAD' ? (['head'] as const) : []),
    ...(isPrefetch ? (['prefetch'] as const) : [])
  ]
}

/** What is known of the way of a mail when a hit comes in. */
export interface Journey {
  readonly sentAt?: Date
  readonly deliveredAt?: Date
}

const FASTEST_PERSON_MS = 2000

/** The reasons of a hit, with those that follow from its time. */
export function judgeHit(
  hit: { readonly kind: 'open' | 'click'; readonly at: Date; readonly userAgent?: string },
  visitReasons: readonly MachineReason[],
  { sentAt, deliveredAt }: Journey
): MachineReason[] {
  const arrivedAt = Math.max(sentAt?.getTime() ?? 0, deliveredAt?.getTime() ?? 0)
  const isTooSoon = hit.at.getTime() < arrivedAt + FASTEST_PERSON_MS
  const isAhead = hit.kind === 'open' && hit.userAgent?.toLowerCase() === FETCHES_IMAGES_AHEAD
  return [
    ...visitReasons,
    ...(isAhead ? (['prefetch'] as const) : []),
    ...(isTooSoon ? (['too_soon'] as const) : [])
  ]
}

/** A span of time in which hits are a machine's, those of other user agents left out where it names one. */
export interface MachineSpan {
  readonly reason: MachineReason
  readonly from: Date
  readonly to: Date
  readonly userAgent?: string
}

/** The hits of a send, as stored. */
export interface StoredHits {
  readonly links?: readonly TrackedLink[]
  readonly opens?: readonly StoredOpen[]
  readonly clickedLinks?: readonly StoredClick[]
  readonly honeypotVisits?: readonly HoneypotVisit[]
}

const HONEYPOT_SPAN_MS = 60_000
/** That many different links in a row are all links, however many more there are. */
const MANY_LINKS = 10

/** The spans that the hits of a send prove to be a machine's, hits of earlier requests included. */
export function findMachineSpans(hits: StoredHits): MachineSpan[] {
  const traps = (hits.honeypotVisits ?? []).map(({ at, userAgent }): MachineSpan => {
    const from = new Date(at.getTime() - HONEYPOT_SPAN_MS)
    const to = new Date(at.getTime() + HONEYPOT_SPAN_MS)
    return { reason: 'honeypot', from, to, ...(userAgent !== undefined && { userAgent }) }
  })
  return [...traps, ...findBursts(hits.links?.length ?? 0, hits.clickedLinks ?? [])]
}

/** A person does not open every link within a second each. `clicks` are in order of time. */
function findBursts(linkCount: number, clicks: readonly StoredClick[]): MachineSpan[] {
  const wanted = Math.min(linkCount, MANY_LINKS)
  if (wanted < 2) return []
  return clicks.flatMap(({ clickedAt: from }, at) => {
    const end = from.getTime() + wanted * 1000
    const near = clicks.slice(at).filter(({ clickedAt }) => clickedAt.getTime() <= end)
    const to = near.at(-1)?.clickedAt
    const isBurst = new Set(near.map(({ linkId }) => linkId)).size >= wanted
    return isBurst && to !== undefined ? [{ reason: 'all_links' as const, from, to }] : []
  })
}

/** Whether a hit is in a span. */
export function isInSpan(
  { from, to, userAgent }: MachineSpan,
  hit: { readonly at: Date; readonly userAgent?: string }
): boolean {
  const isItsAgent = userAgent === undefined || userAgent === hit.userAgent
  return isItsAgent && hit.at >= from && hit.at <= to
}
