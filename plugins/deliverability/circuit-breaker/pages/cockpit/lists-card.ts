// What block lists say of a sender domain and of the sending addresses, the listed ones first.
import type { KeelsonPage } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { Listing } from './verdicts.ts'

type Words = Pick<KeelsonPage, 'linkTo'> & {
  readonly t: (key: string, values?: Record<string, string | number>) => string
}

const SHOWN = 8
const TONES = { listed: 'bad', policy: 'info', error: 'warn', clean: 'good' } as const

/** A listing by policy says nothing about spam: the host may ask for its removal. */
const stateOf = ({ result, category }: Listing): keyof typeof TONES =>
  result === 'listed' && category === 'policy' ? 'policy' : result

const ORDER = ['listed', 'policy', 'error', 'clean'] as const

/** The card; nothing without the plugin, or before its first check of the domain. */
export function listsCard(
  domain: string | null,
  all: readonly Listing[] = [],
  { t, linkTo }: Words
): TemplateResult | typeof nothing {
  const checks = all.filter(({ target, targetKind }) => targetKind === 'ip' || target === domain)
  if (checks.length === 0) return nothing
  const inOrder = ORDER.flatMap((state) => checks.filter((check) => stateOf(check) === state))
  const row = (check: Listing) => {
    const state = stateOf(check)
    const meaning = check.codes.map((code) => code.meaning).join(', ') || '–'
    return html`<tr><td>${check.listLabel}</td><td class="mono">${check.target}</td>
      <td><span class="tag ${TONES[state]}">${t(`cockpit.list.${state}`)}</span></td><td class="wide source dim">${meaning}</td></tr>`
  }
  return html`<section class="card" aria-label=${t('cockpit.lists')}>
    <header><h2>${t('cockpit.lists')}</h2><span class="dim">${t('cockpit.listsNote')}</span><a class="link push" href=${linkTo('/admin/mailer/block-lists')}>${t('cockpit.listsAll')}</a></header>
    <div class="scroll" tabindex="0" role="group" aria-label=${t('cockpit.lists')}><table class="senders">
      <thead><tr><th>${t('cockpit.list')}</th><th>${t('cockpit.asked')}</th><th>${t('cockpit.verdict')}</th><th class="wide">${t('cockpit.meaning')}</th></tr></thead>
      <tbody>${inOrder.slice(0, SHOWN).map(row)}</tbody>
    </table></div>
    <footer class="reason dim">${t('cockpit.listsOf', { shown: Math.min(SHOWN, checks.length), count: checks.length })}</footer>
  </section>`
}
