// What receivers say of a domain, by day: Gmail's spam rate, and how its mail aligns in DMARC reports.
import { icon, type KeelsonPage } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { rangeOf, shareChart } from './share-chart.ts'
import type { CockpitFacts, GmailDomain, Readiness } from './verdicts.ts'

type Words = Pick<KeelsonPage, 'format' | 'linkTo'> & {
  readonly t: (key: string, values?: Record<string, string | number>) => string
}
type Alignment = NonNullable<Readiness['alignment']>

const [SPAM_WARN, SPAM_LIMIT] = [0.001, 0.003]
const TONES = { ok: 'good', warn: 'warn', trip: 'bad' } as const
const POLICIES = { none: 'warn', quarantine: 'info', reject: 'good' } as const

/** Both cards of a domain; nothing where neither plugin answers. */
export function receiverCards(
  domain: string | null,
  { gmail, readiness }: CockpitFacts,
  words: Words
): TemplateResult | typeof nothing {
  if (domain === null || (gmail == null && readiness == null)) return nothing
  const known = gmail?.domains.find((one) => one.domain === domain)
  const alignment = readiness?.domains.find((one) => one.domain === domain)?.alignment
  return html`<div class="charts">${spamCard(known, gmail?.configured !== true && known === undefined, words)} ${alignmentCard(alignment, domain, words)}</div>`
}

/** To a tenth of a percent: a rate below a limit must not look like it. */
const roundedDown = (rate: number): number => Math.floor(rate * 1000) / 1000

function spamCard(
  gmail: GmailDomain | undefined,
  isOff: boolean,
  { t, format, linkTo }: Words
): TemplateResult {
  const history = [...(gmail?.history ?? [])].reverse()
  const points = history.map(({ date, userReportedSpamRatio: share }) => ({ day: date, share }))
  const rate = gmail?.latest?.userReportedSpamRatio ?? null
  const [first, last] = [points[0]?.day, points.at(-1)?.day]
  const limit = (at: number) => format.percent(at, 1)
  const body =
    () => html`<p class="figure"><b>${format.percent(rate ?? 0, 2)}</b> <span>${t('cockpit.spamOn', { date: format.date(gmail?.latest?.date ?? '') })}</span></p>
    ${shareChart({
      points,
      limits: [
        { at: SPAM_LIMIT, tone: 'bad', label: limit(SPAM_LIMIT) },
        { at: SPAM_WARN, tone: 'warn', label: limit(SPAM_WARN) }
      ],
      range: rangeOf(points, [SPAM_LIMIT], { from: 0 }),
      label: t('cockpit.spamChart', {
        rate: format.percent(rate ?? 0, 2),
        limit: limit(SPAM_LIMIT)
      }),
      ends: [format.date(first ?? ''), format.date(last ?? '')]
    })}
    ${gmailLines(gmail, { t, format })}`
  return html`<section class="card receiver">
    <header><h2>${t('cockpit.spam')}</h2>${gmail === undefined || rate === null ? nothing : html`<span class="tag ${TONES[gmail.level]}">${t(`cockpit.level.${gmail.level}`)}</span>`}
      <a class="link push" href=${linkTo('/admin/mailer/reputation')}>${t('cockpit.reputation')}</a></header>
    ${rate === null ? html`<keelson-empty heading=${t(isOff ? 'cockpit.spamOff' : 'cockpit.noFigures')} text=${t(isOff ? 'cockpit.spamOffText' : 'cockpit.spamNone')}></keelson-empty>` : body()}
  </section>`
}

/** What else Gmail says of the latest day. */
function gmailLines(
  { compliance = [], latest = null }: Partial<GmailDomain> = {},
  { t, format }: Pick<Words, 't' | 'format'>
): TemplateResult {
  const met = compliance.filter(({ status }) => status === 'COMPLIANT').length
  const line = (isMet: boolean | null, name: string, value: string) => html`<li>
    <span class=${isMet === null ? 'none' : isMet ? 'good' : 'warn'}>${icon(isMet === null ? 'info' : isMet ? 'check' : 'alert', 14)}</span>
    <span>${name}</span><em>${value}</em></li>`
  const share = (id: 'errors' | 'tls', value: number | null | undefined) =>
    value == null ? nothing : line(null, t(`cockpit.gmail.${id}`), format.percent(value, 1))
  const errors = latest?.deliveryErrors?.reduce((sum, { errorRatio }) => sum + errorRatio, 0)
  return html`<ul class="needs">
    ${compliance.length === 0 ? nothing : line(met === compliance.length, t('cockpit.gmail.requirements'), t('cockpit.gmail.met', { met, all: compliance.length }))}
    ${share('errors', errors)} ${share('tls', latest?.inboundEncryptionRatio)}
  </ul>`
}

function alignmentCard(
  alignment: Alignment | undefined,
  domain: string,
  words: Words
): TemplateResult {
  const { t, format, linkTo } = words
  const points = (alignment?.series ?? []).map(({ day, alignmentRate: share }) => ({ day, share }))
  const { rate = null, messages = 0, conditions = null } = alignment ?? {}
  const wanted = conditions?.minAligned ?? 0.99
  const shown = (share: number) => format.percent(roundedDown(share), 1)
  const range = rangeOf(points, [wanted], { to: 1 })
  const body =
    () => html`<p class="figure"><b>${shown(rate ?? 0)}</b> <span>${t('cockpit.alignedOf', { count: format.number(messages) })}</span></p>
    ${shareChart({
      points,
      limits: [{ at: wanted, tone: 'warn', label: format.percent(wanted, 0) }],
      range,
      label: t('cockpit.alignedChart', {
        rate: shown(rate ?? 0),
        limit: format.percent(wanted, 0)
      }),
      ends: [format.date(points[0]?.day ?? ''), format.date(points.at(-1)?.day ?? '')]
    })}
    ${conditionLines(conditions, words)}`
  return html`<section class="card receiver">
    <header><h2>${t('cockpit.aligned')}</h2>${alignment === undefined ? nothing : html`<span class="tag ${POLICIES[alignment.currentPolicy]}">p=${alignment.currentPolicy}</span>`}
      <a class="link push" href=${linkTo('/admin/mailer/dmarc', { domain })}>${t('cockpit.sources')}</a></header>
    ${rate === null ? html`<keelson-empty heading=${t('cockpit.noFigures')} text=${t('cockpit.alignedNone')}></keelson-empty>` : body()}
  </section>`
}

/** What the next policy asks for, beside what there is. */
function conditionLines(
  conditions: Alignment['conditions'],
  { t, format }: Words
): TemplateResult | typeof nothing {
  if (conditions === null) return nothing
  const { reports, minReports, messages, minMessages, aligned, minAligned } = conditions
  const lines = [
    ['reports', reports >= minReports, format.number(reports), format.number(minReports)],
    ['messages', messages >= minMessages, format.number(messages), format.number(minMessages)],
    [
      'aligned',
      aligned !== null && aligned >= minAligned,
      aligned === null ? '–' : format.percent(roundedDown(aligned), 1),
      format.percent(minAligned, 1)
    ]
  ] as const
  return html`<p class="next">${t('cockpit.nextPolicy')}</p>
    <ul class="needs">${lines.map(
      ([
        id,
        isMet,
        have,
        need
      ]) => html`<li><span class=${isMet ? 'good' : 'bad'}>${icon(isMet ? 'check' : 'close', 14)}</span>
        <span>${t(`cockpit.need.${id}`)} <span class="visually-hidden">${t(isMet ? 'cockpit.state.met' : 'cockpit.state.failed')}</span></span>
        <em>${t('cockpit.needs', { have, need })}</em></li>`
    )}</ul>`
}
