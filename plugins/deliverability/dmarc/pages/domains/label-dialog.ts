// The dialog that labels a source.
import { apiOf, define, KeelsonDialog, type KeelsonPage } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { API, type Source } from './answers.ts'

const MOST = 200

/** Opens for one source, and writes or removes its label. */
export class SourceLabel {
  readonly #page: KeelsonPage
  readonly #onChange: () => void
  #source: Source | undefined

  constructor(page: KeelsonPage, onChange: () => void) {
    this.#page = page
    this.#onChange = onChange
    define(KeelsonDialog)
  }

  readonly open = (source: Source): void => {
    this.#source = source
    this.#page.requestUpdate()
  }

  readonly #close = (): void => {
    this.#source = undefined
    this.#page.requestUpdate()
  }

  dialog(): TemplateResult {
    const { t } = this.#page
    const source = this.#source
    return html`<keelson-dialog
      ?open=${source !== undefined}
      heading=${t('dmarc.labelOf', { ip: source?.sourceIp ?? '' })}
      @keelson-close=${this.#close}
    >
      ${source === undefined ? nothing : this.#form(source)}
    </keelson-dialog>`
  }

  #form({ sourceIp, label, ignored, tagSource }: Source): TemplateResult {
    const { t } = this.#page
    return html`<form class="form" id="label" @submit=${this.#save}>
        <label class="part"><span>${t('dmarc.label')}</span>
          <input class="field" name="label" required maxlength=${MOST} autocomplete="off" .value=${label ?? ''} /></label>
        <p class="dim">${t('dmarc.labelHint')}</p>
        <label class="choice"><input type="checkbox" name="ignored" .checked=${ignored} />${t('dmarc.ignore')}</label>
      </form>
      <div class="row">
        ${tagSource === 'db' ? html`<button class="btn" @click=${() => void this.#remove(sourceIp)}>${t('dmarc.remove')}</button>` : nothing}
        <button class="btn push" @click=${this.#close}>${t('dmarc.cancel')}</button>
        <button class="btn primary" type="submit" form="label">${t('dmarc.save')}</button>
      </div>`
  }

  readonly #save = (event: SubmitEvent): void => {
    event.preventDefault()
    const source = this.#source
    if (source === undefined) return
    const form = new FormData(event.target as HTMLFormElement)
    const body = { label: String(form.get('label')).trim(), ignored: form.has('ignored') }
    void this.#write('PUT', source.sourceIp, 'dmarc.saved', body)
  }

  #remove(ip: string): Promise<void> {
    return this.#write('DELETE', ip, 'dmarc.removed')
  }

  async #write(method: string, ip: string, words: string, body?: object): Promise<void> {
    const api = apiOf(this.#page, API)
    const path = `/sources/${encodeURIComponent(ip)}`
    if (!(await api.attempt(() => api.act(method, path, body)))) return
    this.#page.toast({ text: this.#page.t(words, { ip }), tone: 'good' })
    this.#close()
    this.#onChange()
  }
}
