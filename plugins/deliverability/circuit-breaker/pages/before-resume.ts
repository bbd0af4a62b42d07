// What is still wrong with a tripped domain: rates, block lists, Gmail, DMARC. Pure but for the template.
import { type Format, icon, type KeelsonPage, saidWords } from '@keelson/ui'
import { css, html, nothing, type TemplateResult } from 'lit'
import type { Bucket } from './api.ts'
import type { CockpitFacts } from './cockpit/verdicts.ts'
import { type HeldBroadcast, sumOf } from './held-broadcasts.ts'
import { ratesOf, toneOf } from './rates.ts'

type Texts = (key: string, values?: Record<string, string | number>) => string

/** One check. */
export interface ResumeCheck {
  readonly id: 'rates' | 'lists' | 'gmail' | 'readiness'
  readonly state: 'good' | 'bad' | 'unknown'
  readonly text: string
  /** The page that says more. */
  readonly at?: string
  readonly params?: Readonly<Record<string, string>>
}

interface Words {
  readonly t: Texts
  readonly format: Pick<Format, 'percent' | 'number' | 'date' | 'dateTime'>
}

const LISTED = 3
const RANK = { bad: 0, unknown: 1, good: 2 } as const

/** The four checks of a bucket: what is still wrong first. */
export function resumeChecks(bucket: Bucket, facts: CockpitFacts, words: Words): ResumeCheck[] {
  const domain = bucket.senderDomain
  const checks = [
    checkRates(bucket, facts, words),
    checkLists(domain, facts, words),
    checkGmail(domain, facts, words),
    checkReadiness(domain, facts, words)
  ]
  return checks.toSorted((a, b) => RANK[a.state] - RANK[b.state])
}

/** The status of the mails behind a rate. */
export const STATUS = {
  hardBounce: 'bounced',
  bounce: 'bounced',
  complaint: 'complained',
  failure: 'failed'
} as const

/** The mails behind a rate of a bucket: those of its domain, and of the one broadcast that they are all from. */
export function mailsBehind(
  { senderDomain, kind }: Pick<Bucket, 'senderDomain' | 'kind'>,
  status: (typeof STATUS)[keyof typeof STATUS],
  origin?: Bucket['origin']
): { readonly at: string; readonly params: Readonly<Record<string, string>> } {
  const params = {
    status,
    kind,
    ...(senderDomain !== null && { sender: senderDomain }),
    ...(origin != null && { broadcast: origin.slug })
  }
  return { at: '/admin/mailer/sends', params }
}

function checkRates(bucket: Bucket, { health }: CockpitFacts, { t, format }: Words): ResumeCheck {
  const over = ratesOf(bucket, health.thresholds).filter((rate) => toneOf(rate) === 'bad')
  if (over.length === 0) return { id: 'rates', state: 'good', text: t('health.before.ratesGood') }
  const list = over.map(({ id, value, limit, count, of }) =>
    t('health.before.rate', {
      count: format.number(count),
      of: format.number(of),
      rate: t(`health.rate.${id}`),
      value: format.percent(value ?? 0, 1),
      limit: format.percent(limit, 1)
    })
  )
  const [first] = over
  const { origin } = bucket
  const from = origin == null ? [] : [t('health.before.allFrom', { name: origin.name })]
  return {
    id: 'rates',
    state: 'bad',
    text: [...list, ...from].join('; '),
    ...mailsBehind(bucket, STATUS[first?.id ?? 'bounce'], origin)
  }
}

function checkLists(domain: string | null, { lists }: CockpitFacts, { t }: Words): ResumeCheck {
  const head = { id: 'lists', at: '/admin/mailer/block-lists' } as const
  const checks = (lists?.checks ?? []).filter(({ target }) => target === domain)
  if (checks.length === 0) {
    return { id: 'lists', state: 'unknown', text: t('health.before.listsUnknown') }
  }
  const listed = checks.filter(
    ({ result, category }) => result === 'listed' && category !== 'policy'
  )
  if (listed.length === 0) return { ...head, state: 'good', text: t('health.before.listsGood') }
  const names = listed.slice(0, LISTED).map(({ listLabel }) => listLabel)
  return { ...head, state: 'bad', text: t('health.before.listed', { lists: names.join(', ') }) }
}

function checkGmail(domain: string | null, { gmail }: CockpitFacts, words: Words): ResumeCheck {
  const { t } = words
  const known = gmail?.domains.find((one) => one.domain === domain)
  if (known === undefined || known.latest === null) {
    return { id: 'gmail', state: 'unknown', text: t('health.before.gmailUnknown') }
  }
  const head = { id: 'gmail', at: '/admin/mailer/reputation' } as const
  if (known.level === 'ok') return { ...head, state: 'good', text: t('health.before.gmailGood') }
  return { ...head, state: 'bad', text: saidWords(known, words) }
}

function checkReadiness(
  domain: string | null,
  { readiness }: CockpitFacts,
  words: Words
): ResumeCheck {
  const { t } = words
  const items = readiness?.domains.find((one) => one.domain === domain)?.items ?? []
  const known = items.filter(({ state }) => state !== 'unknown')
  if (known.length === 0) {
    return { id: 'readiness', state: 'unknown', text: t('health.before.dmarcUnknown') }
  }
  const head = { id: 'readiness', at: '/admin/mailer/dmarc' } as const
  // The spam rate is Gmail's line.
  const failed = known.filter(({ state, id }) => state === 'failed' && id !== 'spam_rate')
  if (failed.length === 0) return { ...head, state: 'good', text: t('health.before.dmarcGood') }
  const text = failed
    .map((item) => `${t(`requirement.${item.id}`)}: ${saidWords(item, words)}`)
    .join(' ')
  return { ...head, state: 'bad', text }
}

const ICONS = { good: 'check', bad: 'close', unknown: 'info' } as const

export const beforeStyles = css`
  .before > header { min-block-size: 41px; padding: 10px 14px; border-block-end: 1px solid var(--_hair); }
  .before h2 { font-size: var(--_text); font-weight: 650; overflow-wrap: anywhere; }
  .before ul { list-style: none; margin: 0; padding: 0; }
  .before li { display: grid; grid-template-columns: 20px minmax(0, 1fr) auto; gap: 8px; padding: 9px 14px; border-block-end: 1px solid var(--_hair); overflow-wrap: anywhere; }
  .before li:last-child { border-block-end: 0; }
  .before .ways { display: grid; gap: 8px; padding: 11px 14px; border-block-start: 1px solid var(--_hair); }
  .before .good { color: var(--_good); } .before .bad { color: var(--_bad); } .before .unknown { color: var(--_ink-3); }
`

/** What is held, and the ways to go on: the safe one first. */
export interface ResumeWays {
  /** Held mails of flows and campaigns. */
  readonly others: number
  readonly broadcasts: readonly HeldBroadcast[]
  onLeaveOut(): void
  onResume(): void
}

function heldView(
  { broadcasts, others, onLeaveOut, onResume }: ResumeWays,
  { t, format, linkTo }: Words & Pick<KeelsonPage, 'linkTo'>
): TemplateResult {
  const { held: ofBroadcasts, risky } = sumOf(broadcasts)
  const held = ofBroadcasts + others
  return html`<div class="ways">
    ${broadcasts.map(
      ({ slug, name, held: count }) =>
        html`<p>${t('health.heldOf', { count })} <a class="link" href=${linkTo(`/admin/mailer/broadcast/${encodeURIComponent(slug)}`)}>${name}</a></p>`
    )}
    ${others === 0 ? nothing : html`<p>${t('health.heldOfFlows', { count: others })}</p>`}
    <div class="row">
      ${risky === 0 ? nothing : html`<button class="btn primary" @click=${onLeaveOut}>${t('health.leaveOut', { risky: format.number(risky) })}</button>`}
      <button class="btn" @click=${onResume}>${held === 0 ? t('health.resume') : t('health.resumeAll', { held: format.number(held) })}</button>
    </div>
  </div>`
}

/** The checks of one bucket, as a card. */
export function beforeResume(
  bucket: Bucket,
  facts: CockpitFacts,
  words: Words & Pick<KeelsonPage, 'linkTo'>,
  resume?: ResumeWays
): TemplateResult {
  const { t } = words
  const name = bucket.senderDomain ?? t('health.noDomain')
  return html`<section class="card before">
    <header><h2>${t('health.before', { name })}</h2></header>
    <ul>${resumeChecks(bucket, facts, words).map(
      ({ state, text, at, params }) => html`<li>
        <span class=${state}>${icon(ICONS[state])}</span>
        <span><span class="visually-hidden">${t(`health.before.${state}`)}</span> ${text}</span>
        ${at === undefined ? nothing : html`<a class="link" href=${words.linkTo(at, params)} aria-label=${t('health.before.lookAt', { text })}>${t('health.before.look')}</a>`}
      </li>`
    )}</ul>
    ${resume === undefined ? nothing : heldView(resume, words)}
  </section>`
}
