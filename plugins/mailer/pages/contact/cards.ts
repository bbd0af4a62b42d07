// The cards beside the timeline: details with tags, and what can be done with the data.
import { icon } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { ContactDetail } from './timeline.ts'
import type { TimelineWords } from './timeline-view.ts'

/** What changes tags. */
export interface TagWords extends TimelineWords {
  onTags(change: { readonly add?: readonly string[]; readonly remove?: readonly string[] }): void
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

function valueWords(value: unknown, format: TimelineWords['format']): string {
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  return TIME.test(text) ? format.dateTime(text) : text
}

/** `createdAt` as “Created at”: hosts name their fields as programs do. */
function fieldWords(name: string): string {
  const words = name.replace(/[_-]+/g, ' ').replace(/([a-z\d])([A-Z])/g, '$1 $2')
  return `${words.charAt(0).toUpperCase()}${words.slice(1).toLowerCase()}`
}

/** What the host knows of the contact, and its tags. */
export function detailsCard({ contact }: ContactDetail, words: TagWords): TemplateResult {
  const { t, format } = words
  const { externalId, timezone, locale, fields } = contact
  const fact = (name: unknown, value: unknown) =>
    value === undefined || value === null || value === ''
      ? nothing
      : html`<dt>${name}</dt><dd>${valueWords(value, format)}</dd>`
  return html`<section class="card" aria-labelledby="details">
    <header><h2 id="details">${t('contact.details')}</h2></header>
    <dl class="facts pad">
      <dt>${t('contact.id')}</dt><dd class="mono">${externalId}</dd>
      ${fact(t('contact.zone'), timezone)} ${fact(t('contact.language'), locale)}
      ${Object.entries(fields)
        .filter(([, value]) => value !== timezone && value !== locale)
        .map(([name, value]) => fact(html`<span title=${name}>${fieldWords(name)}</span>`, value))}
    </dl>
    <div class="pad">${tagsView(contact.tags, words)}</div>
  </section>`
}

function tagsView(tags: readonly string[], { t, onTags }: TagWords): TemplateResult {
  const add = (event: Event) => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const tag = String(new FormData(form).get('tag') ?? '').trim()
    if (tag === '') return
    onTags({ add: [tag] })
    form.reset()
  }
  return html`<div class="tags">
    ${tags.length === 0 ? html`<span class="dim">${t('contact.noTags')}</span>` : nothing}
    ${tags.map(
      (tag) => html`<span class="tag">${tag}
        <button aria-label=${t('contact.removeTag', { tag })} @click=${() => onTags({ remove: [tag] })}>${icon('close', 10)}</button></span>`
    )}
    <form @submit=${add}>
      <input class="field" name="tag" maxlength="128" autocomplete="off" aria-label=${t('contact.tagName')} placeholder=${t('contact.tagName')} />
      <button class="btn">${t('contact.addTag')}</button>
    </form>
  </div>`
}

/** What can be done with a contact's data. */
export interface DataWords extends TimelineWords {
  readonly forgetHref: string
  onExport(): void
  onUnsubscribe(): void
  onResubscribe(): void
}

/** Export, consent, erasure. */
export function dataCard({ subscription }: ContactDetail, words: DataWords): TemplateResult {
  const { t, forgetHref, onExport, onUnsubscribe, onResubscribe } = words
  const isSubscribed = subscription?.status === 'subscribed'
  const name = subscription === null ? 'subscribe' : 'resubscribe'
  const act = (name: string, control: TemplateResult) => html`<div class="pad act">
    <div><b>${t(`contact.${name}`)}</b><small>${t(`contact.${name}Text`)}</small></div>
    ${control}
  </div>`
  const button = (name: string, run: () => void) =>
    html`<button class="btn" @click=${run}>${t(`contact.${name}`)}</button>`
  return html`<section class="card" aria-labelledby="data">
    <header><h2 id="data">${t('contact.data')}</h2></header>
    ${act('export', button('export', onExport))}
    ${isSubscribed ? act('unsubscribe', button('unsubscribe', onUnsubscribe)) : act(name, button(name, onResubscribe))}
    ${act('forget', html`<a class="btn" href=${forgetHref}>${t('contact.forget')}</a>`)}
  </section>`
}
