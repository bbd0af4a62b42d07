// The cards of consent: the subscription, each category with its steps, and how near the policy is.
import { icon } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { stepWords } from './step-words.ts'
import type { ConsentStep, ContactDetail } from './timeline.ts'
import type { TimelineWords } from './timeline-view.ts'

const TONES: Readonly<Record<string, string>> = {
  subscribed: 'good',
  pending_doi: 'warn',
  bounced: 'bad',
  complained: 'bad'
}
const MOST_STEPS = 6

/** The subscription and the categories, each with what happened to it, the newest first. */
export function consentCard(shown: ContactDetail, words: TimelineWords): TemplateResult {
  const { t } = words
  const { subscription, reach, consent } = shown
  const own = consent.filter(({ category }) => category === undefined)
  return html`<section class="card" aria-labelledby="subscription">
    <header>
      <h2 id="subscription">${t('contact.subscription')}</h2>
      <span class="tag ${TONES[subscription?.status ?? ''] ?? ''}">${subscription === null ? t('contact.noSubscription') : t(`option.${subscription.status}`)}</span>
    </header>
    ${own.length === 0 ? nothing : html`<div class="pad">${steps(own, words)}</div>`}
    ${reach.categories.map(({ label, isOn, steps: taken }) => {
      const isSent = isOn && reach.marketing.isSent
      const state = !isOn ? 'off' : isSent ? 'on' : 'notSent'
      return html`<div class="pad">
        <p class="line"><span class=${isSent ? 'good' : 'dim'}>${icon(isSent ? 'check' : 'close', 14)}</span>
          <b>${label}</b><span class="tag ${isSent ? 'good' : ''}">${t(`contact.category.${state}`)}</span></p>
        ${taken.length === 0 ? nothing : steps(taken, words)}
      </div>`
    })}
    <div class="pad"><p class="line"><span class=${reach.transactional.isSent ? 'good' : 'bad'}>${icon(reach.transactional.isSent ? 'check' : 'close', 14)}</span>
      <b>${t('contact.receiptsTitle')}</b>
      <span class="tag">${t(reach.transactional.isSent ? 'contact.category.always' : 'contact.category.off')}</span></p></div>
  </section>`
}

function steps(taken: readonly ConsentStep[], words: TimelineWords): TemplateResult {
  const newest = taken.toReversed()
  const more = newest.slice(MOST_STEPS)
  const list = (some: readonly ConsentStep[]) => html`<ol class="steps">
    ${some.map((step) => {
      const { category: _below, ...said } = step
      const { at, ip, consentTimestamp } = step
      const title = [words.format.dateTime(consentTimestamp ?? at), ip].filter(Boolean).join(' · ')
      return html`<li><time datetime=${at} title=${title}>${words.format.date(at)}</time> <span>${stepWords(said, words)}</span></li>`
    })}
  </ol>`
  return html`${list(newest.slice(0, MOST_STEPS))}
    ${
      more.length === 0
        ? nothing
        : html`<details><summary>${words.t('contact.moreSteps', { count: more.length })}</summary>${list(more)}</details>`
    }`
}

/** How near the contact is to the limits of the contact policy; nothing without one. */
export function policyCard(
  { reach: { policy } }: ContactDetail,
  { t, format, now }: TimelineWords
): TemplateResult | typeof nothing {
  if (policy === undefined) return nothing
  const { perDays, minGap, quietHours } = policy
  const hours = (at: string) => format.duration(Math.max(0, now - Date.parse(at)))
  return html`<section class="card" aria-labelledby="policy">
    <header><h2 id="policy">${t('contact.policy')}</h2></header>
    <dl class="facts pad">
      ${
        perDays === undefined
          ? nothing
          : html`<dt>${t('contact.perDays', { count: perDays.days })}</dt>
            <dd><b>${format.number(perDays.sent)}</b> ${t('contact.of', { most: format.number(perDays.count) })}
            <meter min="0" max=${perDays.count} value=${perDays.sent} aria-label=${t('contact.perDays', { count: perDays.days })}></meter></dd>`
      }
      ${
        minGap === undefined
          ? nothing
          : html`<dt>${t('contact.sinceLast')}</dt>
            <dd>${minGap.lastAt === undefined ? t('contact.noneYet') : html`<b>${hours(minGap.lastAt)}</b>`} ${t('contact.ofHours', { hours: format.number(minGap.hours) })}</dd>`
      }
      ${
        quietHours === undefined
          ? nothing
          : html`<dt>${t('contact.quiet')}</dt><dd>${quietHours.start}–${quietHours.end}, ${quietHours.timezone}</dd>`
      }
    </dl>
  </section>`
}
