// The public entry of @keelson/ui/settings: a form made of the settings of a plugin, and what was changed in it.
import { html, nothing, type TemplateResult } from 'lit'
import type { FieldError } from '../elements/error/message.ts'

/** One setting, as the platform describes it from a schema. */
export interface FormSetting {
  /** As `inbound.secret`. */
  readonly path: string
  readonly title: string
  readonly description?: string
  readonly type: 'boolean' | 'integer' | 'number' | 'text' | 'choice' | 'json'
  readonly choices?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  /** In the place of each secret is typed the name of an environment variable; the value is never shown. */
  readonly isSecret: boolean
  readonly isSet: boolean
  /** It can be taken back to what it was without the form. */
  readonly isChanged: boolean
  readonly value?: unknown
}

/** What was changed of a setting. */
export interface FormChange {
  readonly path: string
  readonly value?: unknown
  readonly reset?: true
}

/** The words of the form, in the language of the page. */
export interface SettingWords {
  readonly reset: string
  readonly secret: string
  readonly secretSet: string
  readonly secretUnset: string
  readonly json: string
  /** Of JSON that holds secrets. */
  readonly secretJson: string
  readonly unset: string
  readonly on: string
  readonly off: string
}

/** What of a form cannot be sent: the setting, whose text is not JSON. */
export class UnreadableSetting extends Error {
  override readonly name = 'UnreadableSetting'
  readonly path: string

  constructor(path: string) {
    super(path)
    this.path = path
  }
}

/** Fields for the settings, for the body of a form. */
export function settingForm(
  settings: readonly FormSetting[],
  words: SettingWords,
  faults: readonly FieldError[]
): TemplateResult {
  return html`${settings.map((setting) => {
    const { path, title, description, isChanged } = setting
    const fault = faults.find((one) => one.path === path)
    const hint = [description, hintOf(setting, words)].filter(Boolean).join(' ')
    return html`<div class="part">
      <label for=${`set-${path}`}>${title}${title === path ? nothing : html` <code class="dim">${path}</code>`}</label>
      ${control(setting, words, fault !== undefined)}
      ${hint === '' ? nothing : html`<small class="dim" id=${`hint-${path}`}>${hint}</small>`}
      ${fault === undefined ? nothing : html`<small class="problem" role="alert">${fault.message}</small>`}
      ${isChanged ? html`<label class="choice"><input type="checkbox" name=${`reset:${path}`} /><span>${words.reset}</span></label>` : nothing}
    </div>`
  })}`
}

function hintOf({ type, isSecret, isSet }: FormSetting, words: SettingWords): string {
  const how = type === 'json' ? words.secretJson : words.secret
  if (isSecret) return `${isSet ? words.secretSet : words.secretUnset} ${how}`
  return type === 'json' ? words.json : ''
}

function control(setting: FormSetting, words: SettingWords, isInvalid: boolean): TemplateResult {
  const { path, type, choices = [], minimum, maximum, isSecret, description } = setting
  const id = `set-${path}`
  const invalid = isInvalid ? 'true' : nothing
  const isHinted = description !== undefined || isSecret || type === 'json'
  const about = isHinted ? `hint-${path}` : nothing
  const text = textOf(setting)
  const option = (value: string, label: string) =>
    html`<option value=${value} ?selected=${value === text}>${label}</option>`
  switch (type) {
    case 'boolean':
      return html`<select id=${id} name=${path} class="field" aria-invalid=${invalid} aria-describedby=${about}>
        ${text === '' ? option('', words.unset) : nothing}${option('true', words.on)}${option('false', words.off)}
      </select>`
    case 'choice':
      return html`<select id=${id} name=${path} class="field" aria-invalid=${invalid} aria-describedby=${about}>
        ${text === '' ? option('', words.unset) : nothing}${choices.map((choice) => option(choice, choice))}
      </select>`
    case 'json':
      return html`<textarea id=${id} name=${path} class="field mono" rows="3" spellcheck="false" aria-invalid=${invalid}
        aria-describedby=${about} .value=${text}></textarea>`
    default:
      return html`<input id=${id} name=${path} class="field" autocomplete="off" spellcheck="false" maxlength="2048"
        type=${type === 'text' ? 'text' : 'number'} step=${type === 'integer' ? '1' : 'any'}
        min=${minimum ?? nothing} max=${maximum ?? nothing} aria-invalid=${invalid} aria-describedby=${about}
        placeholder=${isSecret ? 'KEELSON_SECRET_NAME' : nothing} .value=${text} />`
  }
}

/** The value as the form shows it. */
function textOf({ type, value, isSecret }: FormSetting): string {
  if (isSecret || value === undefined) return ''
  return type === 'json' ? JSON.stringify(value, null, 2) : String(value)
}

/**
 * The settings that were changed in a form.
 *
 * @throws UnreadableSetting for a text that is not JSON
 */
export function readSettingForm(
  given: Pick<FormData, 'get' | 'has'>,
  settings: readonly FormSetting[]
): readonly FormChange[] {
  return settings.flatMap((setting): FormChange[] => {
    const { path } = setting
    if (given.has(`reset:${path}`)) return [{ path, reset: true }]
    const text = String(given.get(path) ?? '')
    // A textarea ends lines in its own way.
    if (text.replaceAll('\r\n', '\n') === textOf(setting)) return []
    return [{ path, ...changeOf(setting, text) }]
  })
}

function changeOf({ path, type }: FormSetting, text: string): Omit<FormChange, 'path'> {
  switch (type) {
    case 'boolean':
      return text === '' ? { reset: true } : { value: text === 'true' }
    case 'integer':
    case 'number':
      return text === '' ? { reset: true } : { value: Number(text) }
    case 'json':
      return text.trim() === '' ? { reset: true } : { value: parsed(path, text) }
    default:
      return { value: text }
  }
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnreadableSetting(path)
  }
}
