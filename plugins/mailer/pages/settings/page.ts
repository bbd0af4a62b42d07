// The Settings page: the pause of all marketing mail, the providers, the configuration in force.

import type { Static } from '@keelson/sdk'
import {
  controls,
  define,
  definePage,
  formDialog,
  formField,
  formText,
  KeelsonDialog,
  KeelsonEmpty,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonTable,
  Load,
  registerCatalog,
  Sending,
  type TableColumn,
  tableView
} from '@keelson/ui'
import { css, html, nothing, type TemplateResult } from 'lit'
import type { providerStatusSchema } from '../../admin/setup/read-providers.ts'
import type { settingSchema } from '../../admin/setup/read-settings.ts'
import type { pauseSchema } from '../../admin/setup-answers.ts'
import type { Brand } from '../../ledger/brand-row.ts'
import { actorWords } from '../actor-words.ts'
import { bonesOr } from '../bones.ts'
import { mailApi } from '../mail-api.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { brandCard, brandDialog, brandStyles, type SenderBrand } from './brand-card.ts'
import {
  configurationCard,
  configurationStyles,
  registerSettingTexts
} from './configuration-card.ts'
import texts from './texts.en.json' with { type: 'json' }

type Provider = Static<typeof providerStatusSchema>
type Setting = Static<typeof settingSchema>
type PauseAnswer = Static<typeof pauseSchema>

const settingsStyles = css`
  .pad { padding: 12px 14px; }
`

class SettingsPage extends KeelsonPage {
  static override readonly styles = [
    controls,
    pageStyles,
    settingsStyles,
    configurationStyles,
    brandStyles
  ]
  readonly #api = mailApi(this)
  readonly #sending = new Sending(this, this.#api.words)
  readonly #pause = new Load(this, {
    args: () => [] as const,
    run: (_args, signal) => this.#api.read<PauseAnswer>('/pause', signal)
  })
  readonly #providers = new Load(this, {
    args: () => [] as const,
    run: (_args, signal) => this.#api.read<readonly Provider[]>('/providers', signal)
  })
  readonly #settings = new Load(this, {
    args: () => [] as const,
    run: (_args, signal) => this.#api.read<readonly Setting[]>('/settings', signal)
  })

  readonly #brands = new Load(this, {
    args: () => [] as const,
    run: (_args, signal) => this.#api.read<readonly SenderBrand[]>('/brands', signal)
  })

  protected override get windowTitle(): string {
    return this.t('settings.title')
  }

  protected override content(): TemplateResult {
    const { t } = this
    return html`<keelson-page-header heading=${t('settings.title')}></keelson-page-header>
      <div class="main">
        ${this.#pauseCard()} ${this.#pause.isFirst ? nothing : this.#tables()}
      </div>
      ${this.params.get('dialog') === 'pause' ? this.#pauseDialog() : this.#brandDialog()}`
  }

  /** The settings wait for the providers above them: they would move while those arrive. */
  #tables(): TemplateResult {
    const { t } = this
    const providers = tableView({
      heading: t('settings.providers'),
      note: t('settings.providersNote'),
      skeleton: 1,
      columns: this.#providerColumns(),
      rows: this.#providers.value ?? [],
      idOf: ({ name }) => name,
      read: this.#providers,
      empty: { heading: t('settings.noProviders') }
    })
    const brands = this.#brands.value
    return html`${providers}
    ${this.#providers.isFirst || brands === undefined ? nothing : brandCard(brands, { t, hrefOf: (brand) => this.address({ brand }) })}
    ${this.#providers.isFirst || this.#brands.isFirst ? nothing : this.#configuration()}`
  }

  #brandDialog(): TemplateResult | typeof nothing {
    const asked = this.params.get('brand')
    const shown = this.#brands.value?.find(({ sender }) => sender === asked)
    if (shown === undefined) return nothing
    const close = () => {
      this.#sending.clear()
      this.go({ brand: null }, { replace: true })
    }
    const { t } = this
    return brandDialog(shown, {
      t,
      sending: this.#sending,
      onClose: close,
      onSave: (brand) => void this.#saveBrand(shown.sender, brand, close)
    })
  }

  async #saveBrand(sender: string, brand: Brand, close: () => void): Promise<void> {
    const path = `/brands/${encodeURIComponent(sender)}`
    const saved = await this.#sending.send(() => this.#api.act<SenderBrand>('PUT', path, brand))
    if (saved === undefined) return
    await this.#brands.reload()
    close()
    this.toast({ text: this.t('settings.brandSaved'), tone: 'good' })
  }

  #pauseCard(): TemplateResult {
    const { t } = this
    const { value, missing } = this.#pause
    const pause = value?.pause ?? null
    const state =
      value === undefined
        ? html`<span class="quiet grow">${missing === undefined ? html`<span class="bone"></span>` : this.#api.words(missing)}</span>`
        : html`<span class="grow"><b>${t(pause === null ? 'settings.running' : 'settings.paused')}</b>
            ${pause === null ? nothing : this.#pausedBy(pause)}<br /><span class="quiet">${t('settings.pauseNote')}</span></span>
            ${
              pause === null
                ? html`<a class="btn push" href=${this.address({ dialog: 'pause' })}>${t('settings.pauseAction')}</a>`
                : html`<button class="btn primary push" @click=${() => void this.#resume()}>${t('settings.resumeAction')}</button>`
            }`
    return html`<section class="card" aria-label=${t('settings.pause')}>
      <header><h2>${t('settings.pause')}</h2></header>
      <div class="row pad">${state}</div>
    </section>`
  }

  #pausedBy({ reason, by, at }: NonNullable<PauseAnswer['pause']>): TemplateResult {
    const values = { at: this.format.dateTime(at), by: actorWords(by, this.t), reason }
    return html`<span>${this.t('settings.pausedBy', values)}</span>`
  }

  #pauseDialog(): TemplateResult {
    const { t } = this
    const { isSending, problem } = this.#sending
    return formDialog({
      isSending,
      problem,
      t,
      heading: t('settings.pauseHeading'),
      action: t('settings.pauseAction'),
      tone: 'danger',
      body: html`<p>${t('settings.pauseText')}</p>
        ${formField(t('settings.reason'), html`<input class="field" name="reason" maxlength="500" autocomplete="off" autofocus />`)}`,
      onClose: () => this.#close(),
      onSubmit: (form) => void this.#pauseAll(formText(form, 'reason'))
    })
  }

  #close(): void {
    this.#sending.clear()
    this.go({ dialog: null }, { replace: true })
  }

  async #pauseAll(reason: string): Promise<void> {
    const answer = await this.#sending.send(() =>
      this.#api.act<PauseAnswer>('POST', '/pause', { reason })
    )
    if (answer === undefined) return
    this.#pause.set(answer)
    this.#close()
    this.toast({
      text: this.t('settings.pausedToast'),
      action: { label: this.t('settings.resumeAction'), run: () => void this.#resume() }
    })
  }

  async #resume(): Promise<void> {
    const { act, attempt } = this.#api
    if (!(await attempt(() => act('DELETE', '/pause')))) return
    this.#pause.set({ pause: null })
    this.toast({ text: this.t('settings.resumed'), tone: 'good' })
  }

  #providerColumns(): TableColumn<Provider>[] {
    const { t, format } = this
    const figure = (
      id: 'sent' | 'bounced' | 'failed',
      hideBelow: number
    ): TableColumn<Provider> => ({
      id,
      header: t(`settings.${id}`),
      width: 80,
      align: 'end',
      hideBelow,
      cell: (provider) => format.number(provider[id])
    })
    return [
      {
        id: 'name',
        header: t('settings.provider'),
        grow: 2,
        cell: ({ name, isDefault, isDefaultTransactional }) =>
          html`${name} ${isDefault ? html`<span class="tag accent">${t('settings.default')}</span>` : nothing}
          ${isDefaultTransactional && !isDefault ? html`<span class="tag">${t('settings.defaultTransactional')}</span>` : nothing}`
      },
      {
        id: 'rate',
        header: t('settings.rate'),
        width: 80,
        align: 'end',
        hideBelow: 560,
        cell: ({ sendRatePerSecond }) => format.number(sendRatePerSecond)
      },
      figure('sent', 0),
      figure('bounced', 420),
      figure('failed', 0),
      {
        id: 'webhook',
        header: t('settings.webhook'),
        mono: true,
        quiet: true,
        hideBelow: 700,
        cell: ({ webhookPath }) => webhookPath,
        hint: ({ webhookPath }) => webhookPath
      }
    ]
  }

  #configuration(): TemplateResult {
    const { value, missing } = this.#settings
    if (value !== undefined) return configurationCard(value, this)
    return html`<section class="card">${bonesOr(missing === undefined ? '' : this.#api.words(missing), 12)}</section>`
  }
}

registerTexts()
registerSettingTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonTable, KeelsonEmpty, KeelsonDialog)
definePage('mailer-settings', SettingsPage)
