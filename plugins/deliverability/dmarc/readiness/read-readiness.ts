// Gathers what is stored about the monitored domains and judges it.
import type {
  MailerCore,
  SenderFacts,
  SenderFactsSource,
  SetupResult
} from '@keelson/mailer/contracts'
import { hintOf } from '@keelson/sdk'
import type { DmarcContext } from '../context.ts'
import { readWindow } from '../overview/read-domains.ts'
import { judgeReadiness, type Readiness } from './judge-readiness.ts'
import { say } from './sentences.ts'

const WINDOW_DAYS = 30
const MOST_DOMAINS = 100

/** What the checklist reads. */
export interface ReadinessContext extends Pick<DmarcContext, 'collections' | 'clock'> {
  readonly mailer: Pick<MailerCore, 'senderDomains'>
  /** Contributions of other plugins. */
  factsSources(): readonly SenderFactsSource[]
}

/** What all sources know, by domain. The first that knows a fact wins. */
export async function readSenderFacts(
  { clock, factsSources }: Pick<ReadinessContext, 'clock' | 'factsSources'>,
  domains: readonly string[]
): Promise<ReadonlyMap<string, Partial<SenderFacts>>> {
  const now = clock.now()
  const read = await Promise.all(factsSources().map((source) => source.read(domains, now)))
  const byDomain = new Map<string, Partial<SenderFacts>>()
  for (const facts of read.flat()) {
    byDomain.set(facts.domain, { ...facts, ...byDomain.get(facts.domain) })
  }
  return byDomain
}

/** The checklist of each sender domain. */
export async function readReadiness(context: ReadinessContext): Promise<readonly Readiness[]> {
  const { collections, mailer } = context
  const domains = mailer
    .senderDomains()
    .map(({ domain }) => domain.toLowerCase())
    .slice(0, MOST_DOMAINS)
  const [checks, windows, facts] = await Promise.all([
    collections.dnsChecks.find({ _id: { $in: domains } }).toArray(),
    readWindow(context, WINDOW_DAYS),
    readSenderFacts(context, domains)
  ])
  return domains.map((domain) =>
    judgeReadiness({
      domain,
      check: checks.find(({ _id }) => _id === domain) ?? null,
      alignment: windows.get(domain) ?? null,
      facts: facts.get(domain) ?? {}
    })
  )
}

/** The line of the setup list. Pure. */
export function judgeReadinessSetup(domains: readonly Readiness[]): SetupResult {
  const items = domains.flatMap(({ domain, items: lines }) =>
    lines
      .filter(
        ({ state, requiredBy }) => state === 'failed' || (state === 'warn' && requiredBy.length > 0)
      )
      .map(({ label, state, message, hint, fix }) => ({
        label: `${domain}: ${label}`,
        severity: state === 'failed' ? ('error' as const) : ('warn' as const),
        message,
        ...(hint !== undefined && {
          hint: fix === undefined ? hint : `${hint} ${fix.type} ${fix.name}: ${fix.value}`
        })
      }))
  )
  const failed = items.filter(({ severity }) => severity === 'error').length
  if (items.length > 0) {
    const { length: count } = items
    const found = count === 1 ? say('ready.openOne') : say('ready.open', { count })
    const severity = failed > 0 ? 'error' : 'warn'
    return { severity, ...found, ...hintOf(say('ready.openHint')), items }
  }
  const isKnown = domains.some(({ state }) => state === 'met')
  return { severity: 'ok', ...say(isKnown ? 'ready.met' : 'ready.unknown') }
}
