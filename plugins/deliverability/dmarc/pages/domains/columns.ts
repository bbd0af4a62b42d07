// The columns of the tables on the DMARC page.
import { type KeelsonPage, shareCell, type TableColumn } from '@keelson/ui'
import { html } from 'lit'
import type { Domain, Report, Source } from './answers.ts'
import { received } from './received-column.ts'
import { reasonWords } from './setup-steps.ts'

type Page = Pick<KeelsonPage, 't' | 'format'>
const POLICIES = { none: 'warn', quarantine: 'info', reject: 'good' } as const

/** A policy as DMARC records have it. */
export const policyWords = (policy: string, pct: number | null, testing: boolean): string =>
  `p=${policy}${pct === null || pct === 100 ? '' : `; pct=${pct}`}${testing ? '; t=y' : ''}`

/** To a tenth of a percent: a rate below a limit must not look like it. */
export const roundedDown = (rate: number): number => Math.floor(rate * 1_000) / 1_000

export const domainColumns = ({ t, format }: Page): TableColumn<Domain>[] => [
  { id: 'domain', header: t('dmarc.domain'), cell: ({ domain }) => domain },
  {
    id: 'policy',
    header: t('dmarc.policy'),
    width: 150,
    cell: ({ currentPolicy, currentPct, currentTesting }) =>
      html`<span class="tag ${POLICIES[currentPolicy]}">${policyWords(currentPolicy, currentPct, currentTesting)}</span>`
  },
  {
    id: 'messages',
    header: t('dmarc.messages'),
    width: 90,
    align: 'end',
    hideBelow: 480,
    cell: ({ totalMessages }) => format.number(totalMessages),
    hint: ({ reporters }) =>
      t('dmarc.reportedBy', {
        reporters: reporters
          .map(({ orgName, share }) => `${orgName} ${format.percent(share ?? 0)}`)
          .join(', ')
      })
  },
  {
    id: 'reports',
    header: t('dmarc.reports'),
    width: 76,
    align: 'end',
    hideBelow: 640,
    cell: ({ reportCount }) => format.number(reportCount)
  },
  {
    id: 'aligned',
    header: t('dmarc.aligned'),
    width: 150,
    hideBelow: 400,
    cell: ({ alignmentRate }) =>
      alignmentRate === null ? '–' : shareCell(roundedDown(alignmentRate), format, 1)
  },
  {
    id: 'next',
    header: t('dmarc.next'),
    width: 170,
    hideBelow: 760,
    cell: ({ progression, currentPolicy, currentTesting }) => {
      if (progression !== null)
        return policyWords(progression.policy, progression.pct, progression.testing)
      return t(currentPolicy === 'reject' && !currentTesting ? 'dmarc.strictest' : 'dmarc.noNext')
    },
    hint: ({ progression }) =>
      progression === null ? undefined : reasonWords(progression, { t, format })
  }
]

/** As receivers write it; what fails is red as well. */
const outcome = (result: string) =>
  result === 'pass' ? result : html`<span class="problem">${result}</span>`

export const sourceColumns = (
  { t, format }: Page,
  onLabel: (source: Source) => void
): TableColumn<Source>[] => [
  {
    id: 'ip',
    header: t('dmarc.source'),
    mono: true,
    cell: ({ sourceIp }) => sourceIp,
    hint: ({ sourceIp }) => sourceIp
  },
  { id: 'ptr', header: t('dmarc.ptr'), quiet: true, hideBelow: 760, cell: ({ ptr }) => ptr ?? '–' },
  { id: 'domain', header: t('dmarc.domain'), hideBelow: 640, cell: ({ domain }) => domain },
  {
    id: 'messages',
    header: t('dmarc.messages'),
    width: 90,
    align: 'end',
    cell: ({ totalMessages }) => format.number(totalMessages)
  },
  {
    id: 'dkim',
    header: 'DKIM',
    width: 84,
    hideBelow: 880,
    cell: ({ dkimResult }) => outcome(dkimResult)
  },
  {
    id: 'spf',
    header: 'SPF',
    width: 84,
    hideBelow: 880,
    cell: ({ spfResult }) => outcome(spfResult)
  },
  {
    id: 'seen',
    header: t('dmarc.lastSeen'),
    width: 110,
    quiet: true,
    hideBelow: 960,
    cell: ({ lastSeen }) => format.date(lastSeen)
  },
  {
    id: 'label',
    header: t('dmarc.label'),
    width: 140,
    cell: (source) => {
      const words = source.label ?? t('dmarc.unknown')
      const tone = source.label === null ? 'bad' : source.ignored ? '' : 'info'
      return html`<button class="btn" aria-label=${`${t('dmarc.labelOf', { ip: source.sourceIp })}: ${words}`} @click=${() => onLabel(source)}><span class="tag ${tone}">${words}</span></button>`
    },
    hint: ({ ignored }) => (ignored ? t('dmarc.ignored') : undefined)
  }
]

export const reportColumns = (page: Page): TableColumn<Report>[] => [
  { id: 'org', header: page.t('dmarc.org'), cell: ({ orgName }) => orgName },
  { id: 'domain', header: page.t('dmarc.domain'), hideBelow: 480, cell: ({ domain }) => domain },
  {
    id: 'messages',
    header: page.t('dmarc.messages'),
    width: 90,
    align: 'end',
    cell: ({ totalMessages }) => page.format.number(totalMessages)
  },
  {
    id: 'failed',
    header: page.t('dmarc.aligned'),
    width: 150,
    cell: ({ passCount, totalMessages }) =>
      totalMessages === 0 ? '–' : shareCell(roundedDown(passCount / totalMessages), page.format, 1),
    hint: ({ passCount }) => page.format.number(passCount)
  },
  {
    id: 'via',
    header: page.t('dmarc.via'),
    width: 120,
    quiet: true,
    hideBelow: 760,
    cell: ({ via, recovered }) =>
      [page.t(`dmarc.via.${via}`), ...(recovered ? [page.t('dmarc.recovered')] : [])].join(', ')
  },
  received(page)
]
