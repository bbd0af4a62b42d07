// The dialogs of the Template page: publish, test mail, settings, duplicate, compare, conflict.
import { formDialog, formField, formText, type Sending } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { diffView } from '../diff-view.ts'
import { type OwnAddress, ownAddressField } from '../own-address.ts'
import type { DiffAnswer, Fields, TemplateAnswer, UseAnswer } from './answers.ts'
import { changedLines, type FieldChange } from './changed-lines.ts'
import type { TemplateDraft } from './draft.ts'
import type { Finding } from './findings.ts'
import type { Words } from './words.ts'

/** What the dialogs show and do. */
export interface Dialogs {
  readonly words: Words
  readonly sending: Sending
  readonly row: TemplateAnswer
  readonly draft: TemplateDraft
  readonly findings: readonly Finding[]
  /** The contact that the mail is previewed as. */
  readonly contact: string
  /** Where test mails go unless another address is typed. */
  readonly ownAddress: OwnAddress
  /** What sends the template; undefined until it is known. */
  readonly uses: readonly UseAnswer[] | undefined
  readonly diff: { readonly value: DiffAnswer | undefined; readonly failure: unknown }
  /** What is compared. */
  readonly compared: readonly [from: string, to: string]
  onClose(): void
  onPublish(): void
  onTest(to: string): void
  onSettings(fields: Partial<Fields>): void
  onDuplicate(copy: { readonly slug: string; readonly name: string }): void
}

type Show = 'publish' | 'test' | 'settings' | 'duplicate' | 'diff'

const DIALOGS: Readonly<Record<Show, (dialogs: Dialogs) => TemplateResult>> = {
  publish,
  test,
  settings,
  duplicate,
  diff
}

/** The dialog that the address names. */
export function openDialog(show: string, dialogs: Dialogs): TemplateResult | typeof nothing {
  return Object.hasOwn(DIALOGS, show) ? DIALOGS[show as Show](dialogs) : nothing
}

const basicsOf = ({ sending: { isSending, problem }, words: { t }, onClose }: Dialogs) => ({
  isSending,
  problem,
  t,
  onClose
})

function publish(dialogs: Dialogs): TemplateResult {
  const {
    words: { t },
    row,
    findings,
    uses,
    onPublish
  } = dialogs
  const version = row.version + 1
  const errors = findings.filter(({ severity }) => severity === 'error')
  const warnings = findings.filter(({ severity }) => severity === 'warning')
  const body = html`<p>${t('template.publishText', { version })} ${uses === undefined ? nothing : t('template.publishUses', { count: uses.length })}</p>
    ${uses?.length ? html`<ul class="lines">${uses.map(({ kind, name }) => html`<li><span class="quiet">${t(`template.use.${kind}`)}</span> ${name}</li>`)}</ul>` : nothing}
    ${errors.length === 0 ? nothing : html`<p class="problem">${t('template.publishLocked')} ${errors[0]?.message}</p>`}
    ${warnings.length === 0 ? nothing : html`<p><b>${t('template.publishWarnings', { count: warnings.length })}</b></p><ul class="lines">${warnings.map(({ message }) => html`<li>${message}</li>`)}</ul>`}`
  return formDialog({
    ...basicsOf(dialogs),
    heading: t('template.publishHeading', { version }),
    action: t('template.publish', { version }),
    isLocked: errors.length > 0,
    body,
    onSubmit: onPublish
  })
}

function test(dialogs: Dialogs): TemplateResult {
  const {
    words: { t },
    contact,
    ownAddress,
    onTest
  } = dialogs
  const body = html`<p>${t('template.testText', { contact: contact === '' ? t('template.sample') : contact })}</p>
    ${formField(t('template.testTo'), ownAddressField(ownAddress))}`
  return formDialog({
    ...basicsOf(dialogs),
    heading: t('template.testHeading'),
    action: t('template.testSend'),
    isLocked: ownAddress.isFirst,
    body,
    onSubmit: (form) => onTest(formText(form, 'to'))
  })
}

function settings(dialogs: Dialogs): TemplateResult {
  const {
    words: { t },
    draft,
    onSettings
  } = dialogs
  const fields = draft.fields as Fields
  const input = (name: string, value: string) =>
    html`<input class="field" name=${name} .value=${value} autocomplete="off" />`
  const choice = (name: 'trackOpens' | 'trackClicks') =>
    html`<label class="choice"><input type="checkbox" name=${name} .checked=${fields[name]} /><span>${t(`template.${name}`)}</span></label>`
  const body = html`${formField(t('mail.name'), input('name', fields.name))}
    ${formField(
      t('template.kind'),
      html`<select class="field" name="kind">${(['marketing', 'transactional'] as const).map((kind) => html`<option value=${kind} ?selected=${kind === fields.kind}>${t(`mail.${kind}`)}</option>`)}</select>`
    )}
    ${formField(t('template.fromName'), input('fromName', fields.fromName), t('template.fromHint'))}
    ${formField(t('template.from'), input('fromEmail', fields.fromEmail), t('template.fromHint'))}
    ${formField(t('template.replyTo'), input('replyTo', fields.replyTo ?? ''))}
    ${formField(
      t('template.patience'),
      html`<input class="field" type="number" min="1" max="8760" name="providerPatienceHours" .value=${String(fields.providerPatienceHours ?? '')} />`,
      t('template.patienceHint')
    )}
    ${choice('trackOpens')} ${choice('trackClicks')}`
  return formDialog({
    ...basicsOf(dialogs),
    heading: t('template.settingsHeading'),
    action: t('mail.save'),
    body,
    onSubmit: (form) => onSettings(settingsOf(form))
  })
}

function settingsOf(form: HTMLFormElement): Partial<Fields> {
  const isOn = (name: string) => new FormData(form).has(name)
  const replyTo = formText(form, 'replyTo')
  const patience = formText(form, 'providerPatienceHours')
  return {
    name: formText(form, 'name'),
    kind: formText(form, 'kind') as Fields['kind'],
    fromName: formText(form, 'fromName'),
    fromEmail: formText(form, 'fromEmail'),
    replyTo: replyTo === '' ? null : replyTo,
    providerPatienceHours: patience === '' ? null : Number(patience),
    trackOpens: isOn('trackOpens'),
    trackClicks: isOn('trackClicks')
  }
}

function duplicate(dialogs: Dialogs): TemplateResult {
  const {
    words: { t },
    row,
    onDuplicate
  } = dialogs
  const input = (name: string, value: string) =>
    html`<input class="field" name=${name} .value=${value} autocomplete="off" />`
  const body = html`${formField(t('mail.name'), input('name', row.name))} ${formField(t('mail.slug'), input('slug', `${row.slug}-copy`), t('mail.slugHint'))}`
  return formDialog({
    ...basicsOf(dialogs),
    heading: t('template.duplicateHeading'),
    action: t('template.duplicate'),
    body,
    onSubmit: (form) => onDuplicate({ slug: formText(form, 'slug'), name: formText(form, 'name') })
  })
}

function diff({
  words: { t },
  diff: { value, failure },
  compared,
  onClose
}: Dialogs): TemplateResult {
  const named = (state: string) => (/^\d/.test(state) ? `v${state}` : t(`template.state.${state}`))
  const [from, to] = compared
  return html`<keelson-dialog open width="860" heading=${t('template.diffHeading', { from: named(from), to: named(to) })} @keelson-close=${onClose}>
    ${
      failure !== undefined
        ? html`<keelson-error .error=${failure}></keelson-error>`
        : value === undefined
          ? html`<p class="quiet">${t('ui.loading')}</p>`
          : value.changes.length === 0
            ? html`<p class="quiet">${t('template.diffNone')}</p>`
            : value.changes.map((change) => changed(change, t))
    }
    <button slot="actions" class="btn" @click=${onClose}>${t('ui.close')}</button>
  </keelson-dialog>`
}

const changed = (change: FieldChange, t: Words['t']): TemplateResult =>
  html`<h3>${change.field}</h3>
    ${
      change.isTooLarge === true
        ? html`<p class="quiet">${t('template.diffTooLarge')}</p>`
        : diffView(changedLines(change), { t, label: change.field })
    }`
