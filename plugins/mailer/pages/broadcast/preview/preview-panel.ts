// The mail of a broadcast as its recipients get it, and a test of it to oneself. Loaded when it is opened.
import {
  controls,
  define,
  formField,
  formText,
  KeelsonElement,
  Load,
  registerCatalog,
  toast
} from '@keelson/ui'
import { css, html, nothing, type TemplateResult } from 'lit'
import type { MailApi } from '../../mail-api.ts'
import { MailFrame } from '../../mail-frame.ts'
import { ownAddress, ownAddressField } from '../../own-address.ts'
import { pageStyles } from '../../styles.ts'
import type { Matching } from '../matching.ts'
import texts from './texts.en.json' with { type: 'json' }

/** A mail of the broadcast; its texts take the place of those of the template. */
export interface PreviewedArm {
  readonly name: string
  readonly templateSlug: string
  readonly subject?: string
  readonly preheader?: string
}

/** What is shown. */
export interface PreviewView {
  readonly api: MailApi
  /** The arms of an A/B test, or the one template. */
  readonly arms: readonly PreviewedArm[]
  /** Contacts of the audience; undefined while they are read. */
  readonly contacts: readonly Matching[] | undefined
}

interface Rendered {
  readonly subject: string
  readonly html?: string
  readonly plainText: string
}

class BroadcastPreview extends KeelsonElement {
  static override readonly styles = [
    controls,
    pageStyles,
    css`
      .mail { block-size: min(46vh, 460px); border: 1px solid var(--_hair); border-radius: var(--_radius); overflow: hidden; }
      .mail.text { overflow: auto; padding: 10px; white-space: pre-wrap; margin: 0; font: var(--_text-sm) / 1.5 var(--_mono); }
      .test { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 8px; align-items: end; }
    `
  ]
  static override readonly properties = { view: { attribute: false } }
  declare view: PreviewView | undefined
  #arm = 0
  #contact = ''
  #problem = ''
  #isSending = false

  readonly #mail = new Load(this, {
    quiet: true,
    args: () =>
      this.view?.contacts === undefined
        ? null
        : ([this.#template, this.#contactId, JSON.stringify(this.#texts)] as const),
    run: ([slug, contactId, texts]) => {
      const body = {
        useDraft: false,
        ...(JSON.parse(texts) as object),
        ...(contactId !== '' && { contactId })
      }
      return this.#api.act<Rendered>('POST', `/templates/${slug}/preview`, body)
    }
  })
  readonly #ownAddress = ownAddress(this, {
    isNeeded: () => this.view !== undefined,
    api: () => this.#api
  })

  get #api(): MailApi {
    return (this.view as PreviewView).api
  }

  get #template(): string {
    return this.view?.arms[this.#arm]?.templateSlug ?? ''
  }

  get #texts(): object {
    const { subject, preheader } = this.view?.arms[this.#arm] ?? {}
    return {
      ...(subject !== undefined && { subject }),
      ...(preheader !== undefined && { preheader })
    }
  }

  get #contactId(): string {
    return this.#contact || (this.view?.contacts?.[0]?.externalId ?? '')
  }

  protected override render(): TemplateResult | typeof nothing {
    const { view, t } = this
    if (view === undefined) return nothing
    const { arms, contacts = [] } = view
    const choose = (event: Event) => {
      this.#contact = (event.target as HTMLSelectElement).value
      this.requestUpdate()
    }
    return html`<div class="stack">
      ${arms.length < 2 ? nothing : html`<div class="row" role="group" aria-label=${t('preview.arm')}>${arms.map((arm, at) => this.#armButton(arm.name, at))}</div>`}
      ${formField(t('preview.as'), html`<select class="field" @change=${choose}>${contacts.map(({ externalId, email }) => html`<option value=${externalId} ?selected=${externalId === this.#contactId}>${email}</option>`)}</select>`)}
      ${this.#rendered()} ${this.#test()}
    </div>`
  }

  #armButton(name: string, at: number): TemplateResult {
    const choose = () => {
      this.#arm = at
      this.requestUpdate()
    }
    return html`<button class="btn" aria-pressed=${at === this.#arm} @click=${choose}>${name}</button>`
  }

  #rendered(): TemplateResult {
    const { value, failure } = this.#mail
    if (failure !== undefined)
      return html`<p class="problem mail text" role="alert">${this.#api.words(failure)}</p>`
    const subject = html`<p><span class="dim">${this.t('preview.subject')}</span> <b>${value?.subject ?? '…'}</b></p>`
    const body =
      value !== undefined && value.html === undefined
        ? html`<pre class="mail text" tabindex="0">${value.plainText}</pre>`
        : html`<mailer-mail-frame class="mail" .mail=${value?.html ?? ''} .about=${this.#template} .opaque=${this.#api.pictureFrame()} label=${this.t('preview.mail')}></mailer-mail-frame>`
    return html`${subject}${body}`
  }

  #test(): TemplateResult {
    const { t } = this
    const submit = (event: Event) => {
      event.preventDefault()
      void this.#send(formText(event.currentTarget as HTMLFormElement, 'to'))
    }
    return html`<form class="form" @submit=${submit}>
      <div class="test">${formField(t('preview.to'), ownAddressField(this.#ownAddress))}
        <button class="btn" ?disabled=${this.#isSending || this.#ownAddress.isFirst}>${t('preview.send')}</button></div>
      <p class=${this.#problem === '' ? 'quiet' : 'problem'} role="status">${this.#problem === '' ? t('preview.note') : this.#problem}</p>
    </form>`
  }

  async #send(to: string): Promise<void> {
    const contactId = this.#contactId
    const body = {
      to,
      useDraft: false,
      isMarked: true,
      ...this.#texts,
      ...(contactId !== '' && { contactId })
    }
    this.#isSending = true
    this.#problem = ''
    this.requestUpdate()
    try {
      await this.#api.act<object>('POST', `/templates/${this.#template}/send-test`, body)
      toast(this, { text: this.t('preview.sent', { to }), tone: 'good' })
    } catch (error) {
      this.#problem = this.#api.words(error)
    }
    this.#isSending = false
    this.requestUpdate()
  }
}

/** Defines the element and its texts. Cheap to call again. */
export function definePreviewPanel(): void {
  registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
  define(MailFrame)
  if (customElements.get('mailer-broadcast-preview') === undefined)
    customElements.define('mailer-broadcast-preview', BroadcastPreview)
}
