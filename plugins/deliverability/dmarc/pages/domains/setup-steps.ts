// The guided set-up of a domain: record, sources, stricter policy. Pure but for the template.
import { icon, type KeelsonPage, saidWords } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { DnsCheck, Domain, Source } from './answers.ts'

type Texts = (key: string, values?: Record<string, string | number>) => string
type Words = Pick<KeelsonPage, 'format'> & { readonly t: Texts }

/** What the steps are about. */
export interface SetupFacts {
  readonly domain: Domain
  readonly sources: readonly Source[]
  readonly check: DnsCheck | undefined
  /** Where reports should go. */
  readonly reportAddress: string | null
}

/** The record that a domain should publish next. Pure. */
export function nextRecord({ domain, check, reportAddress }: SetupFacts): string | null {
  const { progression } = domain
  const wanted = check?.findings.find(({ fix }) => fix?.name.startsWith('_dmarc.'))?.fix?.value
  if (progression === null) return wanted ?? null
  const known = check?.record ?? `v=DMARC1; rua=mailto:${reportAddress ?? `dmarc@${domain.domain}`}`
  const others = known
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '' && !/^(v|p|pct|t)\s*=/i.test(part))
  const { policy, pct, testing } = progression
  const step = [
    'v=DMARC1',
    `p=${policy}`,
    ...(pct === null || pct === 100 ? [] : [`pct=${pct}`]),
    ...(testing ? ['t=y'] : [])
  ]
  return [...step, ...others].join('; ')
}

/** Three steps, each done or open. */
export function setupSteps(facts: SetupFacts, words: Words): TemplateResult {
  const { t } = words
  const { domain, sources, check } = facts
  const unknown = sources.filter(
    (source) => source.domain === domain.domain && source.label === null
  ).length
  const record = nextRecord(facts)
  const isPublished = check === undefined || check.record !== null
  const isStrict = domain.currentPolicy === 'reject' && !domain.currentTesting
  return html`<ol class="steps">
    ${step(isPublished, t('dmarc.step.record'), check?.record ?? t('dmarc.step.recordText'))}
    ${step(unknown === 0, t('dmarc.step.sources'), unknown === 0 ? t('dmarc.step.sourcesDone') : t('dmarc.step.sourcesText', { count: unknown }))}
    ${step(
      isStrict,
      t('dmarc.step.policy'),
      isStrict
        ? t('dmarc.step.done')
        : domain.progression === null
          ? t('dmarc.step.needs')
          : reasonWords(domain.progression, words),
      html`${isStrict ? nothing : conditionList(domain, unknown, words)}
        ${record === null ? nothing : copyRecord(`_dmarc.${domain.domain}`, record, t)}`
    )}
  </ol>`
}

/** Why the next policy may be published, in the language of the page. */
export const reasonWords = (
  { reason, said }: NonNullable<Domain['progression']>,
  words: Pick<KeelsonPage, 't' | 'format'>
): string => saidWords({ message: reason, said }, words)

/** One condition of the next policy: whether it is met, and how far it is. */
export interface ConditionLine {
  readonly id: 'reports' | 'messages' | 'aligned' | 'sources'
  readonly isMet: boolean
  readonly text: string
}

/** What the next policy needs, beside what there is. Pure. */
export function conditionLines(
  conditions: NonNullable<Domain['conditions']>,
  unknown: number,
  { t, format }: Words
): readonly ConditionLine[] {
  const { reports, minReports, messages, minMessages, aligned, minAligned, days } = conditions
  const number = (value: number) => format.number(value)
  const share = (value: number) => format.percent(value, 1)
  return [
    {
      id: 'reports',
      isMet: reports >= minReports,
      text: t('dmarc.need.reports', { have: number(reports), need: number(minReports), days })
    },
    {
      id: 'messages',
      isMet: messages >= minMessages,
      text: t('dmarc.need.messages', { have: number(messages), need: number(minMessages), days })
    },
    {
      id: 'aligned',
      isMet: aligned !== null && aligned >= minAligned,
      text: t('dmarc.need.aligned', {
        have: aligned === null ? '–' : share(aligned),
        need: share(minAligned)
      })
    },
    {
      id: 'sources',
      isMet: unknown === 0,
      text: t(unknown === 0 ? 'dmarc.need.noSources' : 'dmarc.need.sources', { count: unknown })
    }
  ]
}

function conditionList({ conditions }: Domain, unknown: number, words: Words) {
  if (conditions === null) return nothing
  return html`<ul class="conditions">${conditionLines(conditions, unknown, words).map(
    ({
      isMet,
      text
    }) => html`<li><span class=${isMet ? 'done' : 'open'}>${icon(isMet ? 'check' : 'close', 14)}</span>
      <span><span class="visually-hidden">${words.t(isMet ? 'dmarc.need.met' : 'dmarc.need.open')}</span> ${text}</span></li>`
  )}</ul>`
}

const step = (isDone: boolean, title: string, text: string, more: unknown = nothing) =>
  html`<li><span class=${isDone ? 'done' : 'open'}>${icon(isDone ? 'check' : 'alert')}</span><b>${title}</b><p>${text}</p>${more}</li>`

const copyRecord = (name: string, value: string, t: Texts) =>
  html`<div class="record"><code>${name} TXT ${value}</code><keelson-copy text=${value} label=${t('dmarc.copy')}></keelson-copy></div>`
