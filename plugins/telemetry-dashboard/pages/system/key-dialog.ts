// The dialog that makes a key: first its form, then the key, shown once.
import { html, nothing, type TemplateResult } from 'lit'

export interface KeyDialogOptions {
  /** What is open: the form, the fresh key, or nothing. */
  readonly isOpen: boolean
  readonly freshKey: string | null
  readonly isPlatform: boolean
  readonly kind: string
  readonly tenantMode: string
  readonly isSending: boolean
  /** Why the key was not made. */
  readonly problem: string
  /** How the fresh key is first used. */
  readonly example: string
  t(key: string): string
  onChange(form: HTMLFormElement): void
  onSubmit(form: HTMLFormElement): void
  onClose(): void
}

type Words = Pick<KeyDialogOptions, 't'>

function textField(
  { t }: Words,
  name: string,
  options: {
    readonly isRequired?: boolean
    readonly hasHint?: boolean
    readonly type?: string
  } = {}
): TemplateResult {
  const { isRequired = false, hasHint = false, type = 'text' } = options
  return html`<label>
    <span>${t(`key.field.${name}`)}</span>
    <input class="field" name=${name} type=${type} min="1" autocomplete="off" ?required=${isRequired} />
    ${hasHint ? html`<small class="dim">${t(`key.field.${name}Hint`)}</small>` : nothing}
  </label>`
}

function choiceField(
  { t }: Words,
  name: string,
  choices: readonly (readonly [value: string, text: string])[],
  chosen: string
): TemplateResult {
  return html`<label>
    <span>${t(`key.field.${name}`)}</span>
    <select class="field" name=${name}>
      ${choices.map(
        ([value, text]) =>
          html`<option value=${value} .selected=${value === chosen}>${text}</option>`
      )}
    </select>
  </label>`
}

function form(options: KeyDialogOptions): TemplateResult {
  const { t, isPlatform, kind, tenantMode, problem } = options
  const kinds = ['secret', 'publishable'].map((one) => [one, t(`key.kind.${one}`)] as const)
  const modes = ['fixed', 'session', 'claimed'].map((one) => [one, t(`key.mode.${one}`)] as const)
  const envs = ['prod', 'staging', 'dev'].map((one) => [one, one] as const)
  return html`<form
    id="key-form"
    class="key-form"
    @change=${(event: Event) => options.onChange(event.currentTarget as HTMLFormElement)}
    @submit=${(event: Event) => {
      event.preventDefault()
      options.onSubmit(event.currentTarget as HTMLFormElement)
    }}
  >
    ${choiceField(options, 'kind', kinds, kind)}
    ${isPlatform ? choiceField(options, 'tenantMode', modes, tenantMode) : nothing}
    ${isPlatform && tenantMode === 'fixed' ? textField(options, 'tenantId', { isRequired: true }) : nothing}
    ${textField(options, 'service', { isRequired: true, hasHint: true })}
    ${choiceField(options, 'env', envs, 'prod')}
    ${textField(options, 'label', { hasHint: true })}
    ${kind === 'publishable' ? textField(options, 'origins', { hasHint: true }) : nothing}
    ${textField(options, 'maxPerMinute', { type: 'number', hasHint: true })}
    ${problem === '' ? nothing : html`<p role="alert" class="problem">${problem}</p>`}
  </form>`
}

function fresh({ t, freshKey, example }: KeyDialogOptions): TemplateResult {
  return html`<p>${t('key.createdText')}</p>
    <div class="fresh">
      <code>${freshKey}</code>
      <keelson-copy text=${freshKey ?? ''} label=${t('key.copy')}></keelson-copy>
    </div>
    <pre tabindex="0">${example}</pre>
    <keelson-copy text=${example} label=${t('key.copyExample')}></keelson-copy>`
}

export function keyDialog(options: KeyDialogOptions): TemplateResult {
  const { t, isOpen, freshKey, isSending, onClose } = options
  const isFresh = freshKey !== null
  return html`<keelson-dialog
    ?open=${isOpen || isFresh}
    heading=${t(isFresh ? 'key.created' : 'key.new')}
    width="460"
    @keelson-close=${onClose}
  >
    ${isFresh ? fresh(options) : isOpen ? form(options) : nothing}
    ${
      isFresh
        ? html`<button slot="actions" class="btn primary" @click=${onClose}>${t('key.done')}</button>`
        : html`<button slot="actions" class="btn quiet" @click=${onClose}>${t('ui.cancel')}</button>
          <button slot="actions" class="btn primary" form="key-form" ?disabled=${isSending}
            >${t('key.create')}</button
          >`
    }
  </keelson-dialog>`
}
