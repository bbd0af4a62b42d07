// The guided set-up of a domain: record, sources, stricter policy. Pure but for the template.
import { icon } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { DnsCheck, Domain, Source } from './answers.ts'

type Texts = (key: string, values?: Record<string, string | number>) => string

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
export function setupSteps(facts: SetupFacts, t: Texts): TemplateResult {
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
      isStrict ? t('dmarc.step.done') : (domain.progression?.reason ?? t('dmarc.step.wait')),
      record === null ? nothing : copyRecord(`_dmarc.${domain.domain}`, record, t)
    )}
  </ol>`
}

const step = (isDone: boolean, title: string, text: string, more: unknown = nothing) =>
  html`<li><span class=${isDone ? 'done' : 'open'}>${icon(isDone ? 'check' : 'alert')}</span><b>${title}</b><p>${text}</p>${more}</li>`

const copyRecord = (name: string, value: string, t: Texts) =>
  html`<div class="record"><code>${name} TXT ${value}</code><keelson-copy text=${value} label=${t('dmarc.copy')}></keelson-copy></div>`
