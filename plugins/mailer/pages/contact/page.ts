// The Contact page: one contact's line of time, subscription and data, and what can be done with them.
import {
  breadcrumb,
  controls,
  define,
  definePage,
  icon,
  KeelsonCopy,
  KeelsonDialog,
  KeelsonEmpty,
  KeelsonError,
  KeelsonPage,
  KeelsonPageHeader,
  Load,
  registerCatalog,
  saveFile
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { mailHref, slugOf } from '../addresses.ts'
import { registerExitWords } from '../exit-words.ts'
import { registerLeftOutWords } from '../left-out/words.ts'
import { mailApi } from '../mail-api.ts'
import { pageStyles } from '../styles.ts'
import { type Suppression, suppressionTag } from '../suppressions/suppression.ts'
import { registerSuppressionWords } from '../suppressions/words.ts'
import { registerTexts } from '../texts.ts'
import { dataCard, detailsCard } from './cards.ts'
import { consentCard, policyCard } from './consent-card.ts'
import { forgetDialog } from './forget-dialog.ts'
import { headView } from './head.ts'
import { registerMomentTexts } from './moment-texts.ts'
import { contactStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }
import { type ContactDetail, type EntryKind, timelineOf } from './timeline.ts'
import { type LineWords, timelineView } from './timeline-view.ts'

const KINDS = ['all', 'mail', 'event', 'run', 'consent'] as const

class ContactPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles, contactStyles]
  static override readonly properties = {
    ...KeelsonPage.properties,
    _problem: { state: true },
    _isSending: { state: true }
  }
  declare _problem: string
  declare _isSending: boolean
  readonly #api = mailApi(this)
  readonly #contact = new Load(this, {
    args: () => (this.#id === '' ? null : ([this.#id] as const)),
    run: ([id], signal) => this.#api.find<ContactDetail>(pathOf(id), signal)
  })
  readonly #suppressions = new Load(this, {
    quiet: true,
    args: () => {
      const email = this.#shown?.contact.email
      return email === undefined ? null : ([email] as const)
    },
    run: ([email], signal) =>
      this.#api.read<readonly Suppression[]>(
        `/suppressions?${new URLSearchParams({ email })}`,
        signal
      )
  })

  constructor() {
    super()
    this._problem = ''
    this._isSending = false
  }

  get #id(): string {
    return slugOf(this.sub)
  }

  /** The contact, once it is the one that the address names. */
  get #shown(): ContactDetail | undefined {
    const { value } = this.#contact
    return value?.contact.externalId === this.#id ? value : undefined
  }

  protected override get windowTitle(): string {
    return `${this.#shown?.contact.email ?? this.#id} · ${this.t('contacts.title')}`
  }

  async #change(name: string, body: object): Promise<void> {
    await this.#api.attempt(async () => {
      await this.#api.act('POST', `${pathOf(this.#id)}/${name}`, body)
      await Promise.all([this.#contact.reload(), this.#suppressions.reload()])
      this.toast({ text: this.t(`contact.done.${name}`) })
    })
  }

  async #subscribe(
    name: 'unsubscribe' | 'subscribe' | 'resubscribe',
    email: string
  ): Promise<void> {
    const isSure = await this.confirm({
      heading: this.t(`contact.${name}Heading`, { email }),
      text: this.t(name === 'resubscribe' ? 'contact.resubscribeMore' : `contact.${name}Text`),
      action: this.t(`contact.${name}`)
    })
    const act = name === 'unsubscribe' ? name : 'resubscribe'
    if (isSure) await this.#change(act, {})
  }

  async #export(): Promise<void> {
    await this.#api.attempt(async () => {
      const data = await this.#api.read<unknown>(`${pathOf(this.#id)}/export`)
      saveFile(`contact-${this.#id}.json`, 'application/json', JSON.stringify(data, null, 2))
    })
  }

  async #forget(confirm: string): Promise<void> {
    if (this._isSending) return
    this._isSending = true
    this._problem = ''
    try {
      await this.#api.act('POST', `${pathOf(this.#id)}/forget`, { confirm })
      this.toast({ text: this.t('contact.done.forget') })
      this.page.navigate(mailHref(this, 'contacts'))
    } catch (error) {
      this._problem = this.#api.words(error)
    } finally {
      this._isSending = false
    }
  }

  protected override content(): TemplateResult {
    const shown = this.#shown
    return html`<keelson-page-header heading=${(shown?.contact.email ?? this.#id) || this.t('contact.missing')}>
        ${breadcrumb(this, mailHref(this, 'contacts'), this.t('contacts.title'))}
        <keelson-copy slot="tags" text=${shown?.contact.email ?? this.#id} label=${this.t('contacts.title')}></keelson-copy>
      </keelson-page-header>
      <div class="main">
        ${shown === undefined ? this.#noContact() : this.#body(shown)}
      </div>`
  }

  /** In the place of the contact: that it loads, why it could not be loaded, or that there is none. */
  #noContact(): TemplateResult {
    const { value, failure } = this.#contact
    if (failure !== undefined) return html`<p class="card pad">${this.#api.words(failure)}</p>`
    if (value !== null && this.#id !== '')
      return html`<div class="card pad" aria-busy="true">${Array.from({ length: 8 }, () => html`<p><span class="bone"></span></p>`)}</div>`
    return html`<div class="card"><keelson-empty heading=${this.t('contact.missing')} text=${this.t('contact.missingText')}>
      <a class="btn" href=${mailHref(this, 'contacts')}>${this.t('contact.toList')}</a>
    </keelson-empty></div>`
  }

  #body(shown: ContactDetail): TemplateResult {
    const { contact } = shown
    const words = { t: this.t, format: this.format, now: Date.now() }
    const again = shown.subscription === null ? 'subscribe' : 'resubscribe'
    return html`${headView(shown, words)}<div class="two">
        <section class="card" aria-labelledby="timeline">
          <header>
            <h2 id="timeline">${this.t('contact.timeline')}</h2>
            ${this.#chips()}
            ${shown.journeyHref === undefined ? nothing : html`<a class="btn push" href=${shown.journeyHref}>${icon('external', 14)}${this.t('contact.journey')}</a>`}
          </header>
          <p class="dim recent">${this.t('contact.recent')}</p>
          ${this.#timeline(shown)}
        </section>
        <div class="stack">
          ${consentCard(shown, words)} ${this.#suppressed()} ${policyCard(shown, words)}
          ${detailsCard(shown, {
            ...words,
            onTags: (change) => void this.#change('tags', change)
          })}
          ${dataCard(shown, {
            ...words,
            onExport: () => void this.#export(),
            onUnsubscribe: () => void this.#subscribe('unsubscribe', contact.email),
            onResubscribe: () => void this.#subscribe(again, contact.email),
            forgetHref: this.address({ dialog: 'forget' })
          })}
        </div>
      </div>
      ${
        this.params.get('dialog') === 'forget'
          ? forgetDialog({
              t: this.t,
              id: contact.externalId,
              email: contact.email,
              problem: this._problem,
              isSending: this._isSending,
              onForget: (confirm) => void this.#forget(confirm),
              onClose: () => {
                this._problem = ''
                this.go({ dialog: null }, { replace: true })
              }
            })
          : nothing
      }`
  }

  get #kind(): (typeof KINDS)[number] {
    const asked = this.params.get('kind')
    return KINDS.find((kind) => kind === asked) ?? 'all'
  }

  #chips(): TemplateResult {
    return html`<nav class="chips" aria-label=${this.t('contact.filter')}>
      ${KINDS.map(
        (kind) => html`<a
          href=${this.address({ kind: kind === 'all' ? null : kind })}
          aria-current=${kind === this.#kind ? 'true' : nothing}
        >${this.t(`contact.kind.${kind}`)}</a>`
      )}
    </nav>`
  }

  #timeline(shown: ContactDetail): TemplateResult {
    const kind: EntryKind | 'all' = this.#kind
    const entries = timelineOf(shown).filter((entry) => kind === 'all' || entry.kind === kind)
    if (entries.length === 0)
      return html`<keelson-empty heading=${this.t('contact.none')} text=${this.t('contact.noneText')}></keelson-empty>`
    const { t, format, linkTo } = this
    const nameOf: LineWords['nameOf'] = (of, slug, otherwise = slug) =>
      shown.names?.[of][slug] ?? otherwise
    return timelineView(entries, { t, format, linkTo, nameOf, now: Date.now() })
  }

  #suppressed(): TemplateResult {
    const { value, failure } = this.#suppressions
    const rows = value ?? []
    return html`<section class="card" aria-labelledby="suppressions">
      <header>
        <h2 id="suppressions">${this.t('contact.suppressions')}</h2>
      </header>
      <div class="pad">
        ${
          value === undefined
            ? html`<p>${failure === undefined ? html`<span class="bone"></span>` : this.#api.words(failure)}</p>`
            : rows.length === 0
              ? html`<p>${this.t('contact.noSuppressions')}</p>`
              : rows.map(
                  (
                    row
                  ) => html`<p><a class="link" href=${mailHref(this, 'suppressions', { suppression: row._id })}>${suppressionTag(row, this.t)}</a>
                    <span class="dim">${this.format.dateTime(row.addedAt)}</span></p>`
                )
        }
      </div>
    </section>`
  }
}

const pathOf = (id: string): string => `/contacts/${encodeURIComponent(id)}`

registerTexts()
registerSuppressionWords()
registerMomentTexts()
registerExitWords()
registerLeftOutWords()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonDialog, KeelsonEmpty, KeelsonError, KeelsonCopy)
definePage('mailer-contact', ContactPage)
