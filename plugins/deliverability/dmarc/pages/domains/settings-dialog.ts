// The dialog that changes the settings of monitoring.
import { apiOf, define, KeelsonDialog, type KeelsonPage } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { API, type Monitoring } from './answers.ts'

type Settings = Monitoring['settings']

const PATH = '/settings'
/** Name, least and greatest value of each number. */
const NUMBERS = [
  ['windowDays', 1, 30],
  ['unknownSourceMinMessages', 1, 1_000_000],
  ['knownSourceMinMessages', 1, 1_000_000],
  ['alignmentMinMessages', 1, 1_000_000],
  ['alignmentMinRate', 50, 100],
  ['reportsStoppedDays', 1, 60],
  ['realertAfterHours', 0, 8_760],
  ['dnsCheckIntervalHours', 0, 720]
] as const
const LISTS = ['extraDomains', 'ignoredDomains'] as const

/** What the form changes; numbers as people read them, a rate in percent. Pure. */
export function changesOf(form: FormData, settings: Settings): Partial<Settings> {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const shares = (name: string, value: number) =>
    name === 'alignmentMinRate' ? Math.round(value * 10) / 1_000 : value
  const wanted = {
    ...Object.fromEntries(NUMBERS.map(([name]) => [name, shares(name, Number(text(name)))])),
    ...Object.fromEntries(
      LISTS.map((name) => [
        name,
        text(name)
          .toLowerCase()
          .split(/[\s,]+/)
          .filter(Boolean)
      ])
    ),
    reportAddress: text('reportAddress') === '' ? null : text('reportAddress')
  }
  const before: Readonly<Record<string, unknown>> = settings
  const isSame = (name: string, value: unknown) =>
    JSON.stringify(value) === JSON.stringify(before[name])
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => !isSame(name, value)))
}

/** Opens for the settings of now, and writes what was changed. */
export class SettingsForm {
  readonly #page: KeelsonPage
  readonly #onChange: () => void
  #shown: Pick<Monitoring, 'settings' | 'overrides'> | undefined

  constructor(page: KeelsonPage, onChange: () => void) {
    this.#page = page
    this.#onChange = onChange
    define(KeelsonDialog)
  }

  readonly open = (monitoring: Pick<Monitoring, 'settings' | 'overrides'>): void => {
    this.#shown = monitoring
    this.#page.requestUpdate()
  }

  readonly #close = (): void => {
    this.#shown = undefined
    this.#page.requestUpdate()
  }

  dialog(): TemplateResult {
    const shown = this.#shown
    return html`<keelson-dialog
      ?open=${shown !== undefined}
      heading=${this.#page.t('dmarc.settings')}
      @keelson-close=${this.#close}
    >
      ${shown === undefined ? nothing : this.#form(shown)}
    </keelson-dialog>`
  }

  #form({ settings, overrides }: Pick<Monitoring, 'settings' | 'overrides'>): TemplateResult {
    const { t } = this.#page
    const part = (name: string, field: TemplateResult) =>
      html`<label class="part"><span>${t(`dmarc.set.${name}`)}</span>${field}</label>`
    const shown = (name: (typeof NUMBERS)[number][0]) =>
      name === 'alignmentMinRate' ? Math.round(settings[name] * 1_000) / 10 : settings[name]
    const list = (name: (typeof LISTS)[number]) => (settings[name] ?? []).join(', ')
    return html`<form class="form" id="settings" @submit=${this.#save}>
        <div class="fields">
          ${NUMBERS.map(([name, min, max]) =>
            part(
              name,
              html`<input class="field" type="number" name=${name} min=${min} max=${max} step=${name === 'alignmentMinRate' ? 0.1 : 1} required .value=${String(shown(name))} />`
            )
          )}
        </div>
        ${part('reportAddress', html`<input class="field" type="email" name="reportAddress" maxlength="254" .value=${settings.reportAddress ?? ''} />`)}
        ${LISTS.map((name) => part(name, html`<input class="field" name=${name} autocomplete="off" .value=${list(name)} />`))}
      </form>
      <div class="row">
        ${Object.keys(overrides).length > 0 ? html`<button class="btn" @click=${() => void this.#write('DELETE', 'dmarc.settingsReset')}>${t('dmarc.reset')}</button>` : nothing}
        <button class="btn push" @click=${this.#close}>${t('dmarc.cancel')}</button>
        <button class="btn primary" type="submit" form="settings">${t('dmarc.save')}</button>
      </div>`
  }

  readonly #save = (event: SubmitEvent): void => {
    event.preventDefault()
    if (this.#shown === undefined) return
    const changes = changesOf(new FormData(event.target as HTMLFormElement), this.#shown.settings)
    if (Object.keys(changes).length === 0) this.#close()
    else void this.#write('PUT', 'dmarc.settingsSaved', changes)
  }

  async #write(method: string, words: string, body?: object): Promise<void> {
    const api = apiOf(this.#page, API)
    if (!(await api.attempt(() => api.act(method, PATH, body)))) return
    this.#page.toast({ text: this.#page.t(words), tone: 'good' })
    this.#close()
    this.#onChange()
  }
}
