// Who sends for the domain by DMARC reports: its name, how many mails, how they align, and whether to worry.
import { icon, type KeelsonPage, shareCell } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { Sender, Senders } from './verdicts.ts'

type Words = Pick<KeelsonPage, 'format' | 'linkTo'> & {
  readonly t: (key: string, values?: Record<string, string | number>) => string
}

/** What is said of a source: an unknown one that fails blocks the next policy. */
export type SourceVerdict = 'unknown' | 'failing' | 'ignored' | 'unnamed' | 'good'

const TONES = { unknown: 'bad', failing: 'warn', ignored: '', unnamed: '', good: 'good' } as const
/** Below it a known source has a fault; the rest is what forwarders break. */
const GOOD_SHARE = 0.98

/** The verdict. Pure. */
export function sourceVerdict({
  label,
  ignored,
  aligned,
  messages
}: Pick<Sender, 'label' | 'ignored' | 'aligned' | 'messages'>): SourceVerdict {
  const isGood = messages > 0 && aligned / messages >= GOOD_SHARE
  if (ignored) return 'ignored'
  if (label === null) return isGood ? 'unnamed' : 'unknown'
  return isGood ? 'good' : 'failing'
}

/** The card; nothing for a domain without reports. */
export function sourcesCard(
  domain: string | null,
  senders: Senders | undefined,
  words: Words
): TemplateResult | typeof nothing {
  const { t, format, linkTo } = words
  if (domain === null || senders === undefined) return nothing
  const { shown, total } = senders
  const unknown = shown.filter((one) => sourceVerdict(one) === 'unknown').length
  const to = linkTo('/admin/mailer/dmarc', { domain })
  return html`<section class="card" aria-label=${t('cockpit.senders')}>
    <header><h2>${t('cockpit.senders')}</h2><span class="dim">${t('cockpit.sendersNote', { domain })}</span>
      <a class="btn push" href=${to}>${icon('arrow-up', 14)}${t('cockpit.upload')}</a></header>
    <div class="scroll" tabindex="0" role="group" aria-label=${t('cockpit.senders')}><table class="senders">
      <thead><tr><th>${t('cockpit.source')}</th><th class="num">${t('cockpit.mails')}</th><th class="wide">DKIM</th><th class="wide">SPF</th><th>${t('cockpit.alignedShare')}</th><th>${t('cockpit.verdict')}</th><th class="num wide">${t('cockpit.lastSeen')}</th></tr></thead>
      <tbody>${shown.map((one) => row(one, to, words))}</tbody>
    </table></div>
    <footer class="reason dim"><span>${t('cockpit.sendersOf', { shown: format.number(shown.length), count: total })}</span>
      <a class="link push" href=${to}>${unknown === 0 ? t('cockpit.allSources') : t('cockpit.unknownBlocks', { count: unknown })}</a></footer>
  </section>`
}

function row(sender: Sender, to: string, { t, format }: Words): TemplateResult {
  const { sourceIp, ptr, label, messages, aligned, dkim, spf, lastSeen } = sender
  const verdict = sourceVerdict(sender)
  const result = (passed: number) =>
    passed === messages
      ? html`<span class="good">pass</span>`
      : passed === 0
        ? html`<span class="bad">fail</span>`
        : format.percent(Math.floor((passed / messages) * 1_000) / 1_000, 1)
  const name = label ?? ptr ?? sourceIp
  // To a tenth of a percent: a share below a limit must not look like it.
  const share = Math.floor((aligned / messages) * 1_000) / 1_000
  return html`<tr>
    <td class="source"><b>${name}</b>${name === sourceIp ? nothing : html`<small class="dim">${ptr !== null && ptr !== name ? `${ptr} · ` : ''}<span class="mono">${sourceIp}</span></small>`}</td>
    <td class="num">${format.number(messages)}</td>
    <td class="wide">${result(dkim)}</td><td class="wide">${result(spf)}</td>
    <td class="aligned">${shareCell(share, format, 1)}</td>
    <td>${verdict === 'unknown' ? html`<a href=${to} class="tag bad">${t('cockpit.is.unknown')}</a>` : html`<span class="tag ${TONES[verdict]}">${t(`cockpit.is.${verdict}`)}</span>`}</td>
    <td class="num wide dim">${format.date(lastSeen)}</td>
  </tr>`
}
