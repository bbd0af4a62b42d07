// The cards of the Dashboard page: setup list, queue, latest mails, running flows, latest changes.

import { type Format, icon, saidWords, timeText } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { actorWords } from '../actor-words.ts'
import { addressWords } from '../address-words.ts'
import { type Linked, mailHref, oneHref } from '../addresses.ts'
import { changedName } from '../audit/changed-name.ts'
import { auditWords } from '../audit-words.ts'
import { bonesOr } from '../bones.ts'
import { statusTag } from '../status-tag.ts'
import type { DashboardAnswer, SetupAnswer } from './answers.ts'

/** What the cards are written with. */
export interface CardWords extends Linked {
  readonly format: Format
  readonly now: number
  /** Why there is nothing to show; empty while it loads. */
  readonly problem: string
  t(key: string, values?: Readonly<Record<string, string | number>>): string
}

type Check = SetupAnswer['checks'][number]

const TAG = { ok: 'good', warn: 'warn', error: 'bad' } as const
const RANK = { error: 0, warn: 1, ok: 2 } as const

const card = (
  heading: string,
  { note, link, body }: { note?: unknown; link?: TemplateResult; body: unknown }
): TemplateResult => html`<section class="card" aria-label=${heading}>
  <header><h2>${heading}</h2>${note ?? nothing}${link ?? nothing}</header>
  ${body}
</section>`

const link = (href: string, words: string): TemplateResult =>
  html`<a class="link push" href=${href}>${words}</a>`

const empty = (text: string): TemplateResult => html`<p class="quiet pad">${text}</p>`

const time = (at: string, { format, now }: CardWords): TemplateResult =>
  html`<time class="dim nowrap" datetime=${at} title=${format.dateTime(at)}>${timeText(at, now, format)}</time>`

/** What is left to set up: open checks first, those that passed folded. */
export function setupCard(setup: SetupAnswer | undefined, words: CardWords): TemplateResult {
  const { t } = words
  if (setup === undefined) return card(t('dashboard.setup'), { body: bonesOr(words.problem, 4) })
  const checks = [...setup.checks].sort((a, b) => RANK[a.severity] - RANK[b.severity])
  const open = checks.filter(({ severity }) => severity !== 'ok')
  const passed = checks.filter(({ severity }) => severity === 'ok')
  const note =
    open.length === 0
      ? html`<span class="tag good">${t('dashboard.setup.ok')}</span>`
      : html`<span class="tag warn">${t('dashboard.setup.open', { count: open.length })}</span>`
  const body = html`${open.length === 0 ? nothing : list(open, words)}
    ${
      passed.length === 0
        ? nothing
        : html`<details><summary>${t('dashboard.setup.passed', { count: passed.length })}</summary>${list(passed, words)}</details>`
    }`
  return card(t('dashboard.setup'), { note, body })
}

/** The name of a check. Those of other makers keep their own. */
function checkName({ name, label }: Check, { t }: CardWords): string {
  const key = `dashboard.check.name.${name}`
  const words = t(key)
  return words === key ? label : words
}

const list = (checks: readonly Check[], words: CardWords): TemplateResult =>
  html`<ul class="lines">
    ${checks.map(
      (check) => html`<li>
        <span class="tag ${TAG[check.severity]}">${words.t(`dashboard.check.${check.severity}`)}</span>
        <span class="grow"><b>${checkName(check, words)}</b><br /><span class="quiet">${saidWords(check, words)}</span></span>
        ${check.href === undefined ? nothing : link(check.href, words.t('dashboard.setup.show'))}
      </li>`
    )}
  </ul>`

/** What waits, and whether it can leave. */
export function queueCard(value: DashboardAnswer | undefined, words: CardWords): TemplateResult {
  const { t, format } = words
  if (value === undefined) return card(t('dashboard.queue'), { body: bonesOr(words.problem, 3) })
  const { inFlight, delayed, held, waiting, providerName, providerOk, providerReason } = value.queue
  const status = value.health.status ?? 'none'
  const tone = { none: '', healthy: 'good', degraded: 'warn', tripped: 'bad' }[status]
  const line = (name: unknown, shown: unknown) =>
    html`<li><span class="grow">${name}</span><span class="figure">${shown}</span></li>`
  const failing =
    providerReason === undefined ? 'dashboard.providerFailing' : 'dashboard.providerDown'
  const providerWord = providerOk ? 'dashboard.providerOk' : failing
  const provider = html`${providerName}
    <span class="tag ${providerOk ? 'good' : 'bad'}" title=${providerReason ?? ''}>${t(providerWord)}</span>`
  const body = html`<ul class="lines">
    ${line(t('dashboard.inFlight'), format.number(inFlight))}
    ${line(t('dashboard.delayed'), format.number(delayed))}
    ${held === 0 ? nothing : line(html`<a class="link" href=${mailHref(words, 'sends', { status: 'held' })}>${t('dashboard.held')}</a>`, html`<span class="tag warn">${format.number(held)}</span>`)}
    ${waiting === 0 ? nothing : line(t('dashboard.waiting'), format.number(waiting))}
    ${line(t('dashboard.provider'), provider)}
    ${line(t('dashboard.health'), html`<span class="tag ${tone}">${t(`dashboard.health.${status}`)}</span>`)}
  </ul>`
  return card(t('dashboard.queue'), { body })
}

const BROADCAST_TONES = { paused: 'warn', sending: 'info', scheduled: '' } as const

/** Broadcasts that are paused, send, or wait for their time. */
export function broadcastsCard(
  value: DashboardAnswer | undefined,
  words: CardWords
): TemplateResult {
  const { t, format } = words
  const body =
    value === undefined
      ? bonesOr(words.problem, 1)
      : value.broadcasts.length === 0
        ? empty(t('dashboard.noBroadcasts'))
        : html`<ul class="lines">
            ${value.broadcasts.map(
              ({ slug, name, status, scheduledAt }) => html`<li>
                <a class="grow link" href=${oneHref(words, 'broadcast', slug)}>${name}</a>
                <span class="tag ${BROADCAST_TONES[status]}">${t(`dashboard.broadcast.${status}`)}</span>
                ${status === 'scheduled' && scheduledAt !== undefined ? html`<span class="dim nowrap">${format.dateTime(scheduledAt)}</span>` : nothing}
              </li>`
            )}
          </ul>`
  const more = link(mailHref(words, 'broadcasts'), t('dashboard.allBroadcasts'))
  return card(t('dashboard.broadcasts'), { link: more, body })
}

/** The latest mails. */
export function sendsCard(value: DashboardAnswer | undefined, words: CardWords): TemplateResult {
  const { t } = words
  const body =
    value === undefined
      ? bonesOr(words.problem, 6)
      : value.recentSends.length === 0
        ? empty(t('dashboard.noSends'))
        : html`<ul class="lines">
            ${value.recentSends.map(
              (send) => html`<li>
                <a class="grow whole link" href=${mailHref(words, 'sends', { send: send._id })}>${addressWords(send, t)}</a>
                <span class="quiet cut hide">${send.names?.template ?? send.templateSlug}</span>
                ${statusTag(send, t)} ${time(send.queuedAt, words)}
              </li>`
            )}
          </ul>`
  const more = link(mailHref(words, 'sends'), t('dashboard.allSends'))
  return card(t('dashboard.recentSends'), { link: more, body })
}

/** Flows that are on. */
export function flowsCard(value: DashboardAnswer | undefined, words: CardWords): TemplateResult {
  const { t } = words
  const body =
    value === undefined
      ? bonesOr(words.problem, 3)
      : value.recentFlows.length === 0
        ? empty(t('dashboard.noFlows'))
        : html`<ul class="lines">
            ${value.recentFlows.map(
              ({ slug, name, version, updatedAt }) => html`<li>
                <a class="grow link" href=${oneHref(words, 'flow', slug)}>${name}</a>
                <span class="quiet">${t('dashboard.version', { version })}</span>
                ${time(updatedAt, words)}
              </li>`
            )}
          </ul>`
  const more = link(mailHref(words, 'flows'), t('dashboard.allFlows'))
  return card(t('dashboard.flows'), { link: more, body })
}

/** What people and programs changed last. */
export function changesCard(value: DashboardAnswer | undefined, words: CardWords): TemplateResult {
  const { t } = words
  const body =
    value === undefined
      ? bonesOr(words.problem, 5)
      : value.recentAudit.length === 0
        ? empty(t('dashboard.noChanges'))
        : html`<ul class="lines">
            ${value.recentAudit.map(
              (entry) => html`<li>
                <span class="grow"><b>${auditWords(entry.action, t)}</b> <span class="quiet">${[changedName(entry), actorWords(entry.actor, t)].filter(Boolean).join(' · ')}</span></span>
                ${time(entry.at, words)}
              </li>`
            )}
          </ul>`
  const more = link(mailHref(words, 'audit'), t('dashboard.allChanges'))
  return card(t('dashboard.changes'), { link: more, body })
}

/** The pause of all marketing mail; nothing while there is none. */
export function pauseNotice(
  value: DashboardAnswer | undefined,
  words: CardWords
): TemplateResult | typeof nothing {
  const { t } = words
  if (value?.pause == null) return nothing
  const { reason, by } = value.pause
  return html`<div class="notice warn" role="status">
    ${icon('alert', 14)} <b>${t('dashboard.paused')}</b>
    <span>${t('dashboard.pausedBy', { by: actorWords(by, t), reason })}</span>
    <a class="link push" href=${mailHref(words, 'settings')}>${t('dashboard.pauseSettings')}</a>
  </div>`
}
