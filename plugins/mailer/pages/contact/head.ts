// The head of the Contact page: who it is, the figures, and what mail may be sent and why not.
import { icon } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { ContactDetail } from './timeline.ts'
import type { TimelineWords } from './timeline-view.ts'

const NAME_FIELDS = ['name', 'fullName', 'firstName', 'first_name'] as const
const LAST_FIELDS = ['lastName', 'last_name'] as const
const MOST_TAGS = 4

/** The name that the host knows, else the address. */
export function nameOf({ fields, email }: ContactDetail['contact']): string {
  const first = (names: readonly string[]) =>
    names.map((name) => fields[name]).find((value) => typeof value === 'string' && value !== '')
  const given = [first(NAME_FIELDS), first(LAST_FIELDS)].filter((part) => part !== undefined)
  return given.length === 0 ? email : [...new Set(given)].join(' ')
}

/** Who it is, beside the figures of 30 days. */
export function headView(shown: ContactDetail, words: TimelineWords): TemplateResult {
  const { contact, figures } = shown
  const { t, format } = words
  const { lastActiveAt } = figures
  const last = lastActiveAt === undefined ? t('contact.neverActive') : format.relative(lastActiveAt)
  const name = nameOf(contact)
  const figure = (label: string, value: string, title = '') =>
    html`<div title=${title}><dd>${value}</dd><dt>${t(label)}</dt></div>`
  return html`<section class="who" aria-label=${name}>
      <span class="face" aria-hidden="true">${name.slice(0, 2).toUpperCase()}</span>
      <div class="names">
        <b>${name}</b>
        <p>${name === contact.email ? nothing : html`<span>${contact.email}</span>`}
          <span class="mono dim">${contact.externalId}</span>
          ${contact.tags.slice(0, MOST_TAGS).map((tag) => html`<span class="tag">${tag}</span>`)}</p>
      </div>
      <dl class="sums">
        ${figure('contact.mails30', format.number(figures.mails))}
        ${figure('contact.opened30', format.number(figures.openedByPerson))}
        ${figure('contact.clicked30', format.number(figures.clickedByPerson))}
        ${figure('contact.lastActive', last, lastActiveAt === undefined ? '' : format.dateTime(lastActiveAt))}
      </dl>
    </section>
    ${reachView(shown, words)}`
}

/** One sentence for marketing mail, one for receipts. */
function reachView({ reach }: ContactDetail, words: TimelineWords): TemplateResult {
  const { marketing, transactional } = reach
  const tone = transactional.isSent ? (marketing.isSent ? '' : 'warn') : 'bad'
  return html`<p class="notice ${tone}" role="status">${icon(marketing.isSent ? 'check' : 'alert', 14)}
    <span><b>${marketingWords(reach, words)}</b> ${receiptWords(reach, words)}</span></p>`
}

type Reaches = ContactDetail['reach']

function marketingWords({ marketing, policy }: Reaches, { t, format }: TimelineWords): string {
  if (!marketing.isSent)
    return t(`contact.noMarketing.${marketing.reason}`, {
      time: marketing.until === undefined ? '' : format.dateTime(marketing.until)
    })
  const until = policy?.waits?.until
  if (until === undefined) return t('contact.marketing')
  const reason = t(`leftOut.why.${policy?.waits?.cause}`)
  return t('contact.marketingWaits', { reason, time: format.dateTime(until) })
}

function receiptWords({ marketing, transactional }: Reaches, { t }: TimelineWords): string {
  if (transactional.isSent) return t('contact.receipts')
  // Both kinds are blocked by the same thing: it is said once.
  if (transactional.reason === marketing.reason) return t('contact.noReceipts')
  return t(`contact.noReceipts.${transactional.reason}`)
}
