// The editing half of the Template page: subject and sender, the code, and what checks found.
import { html, nothing, type TemplateResult } from 'lit'
import type { MailApi } from '../mail-api.ts'
import type { CheckAnswer } from './answers.ts'
import type { TemplateDraft } from './draft.ts'
import { type FindingActs, fixButton } from './finding-note.ts'
import { type Finding, keyOf, type Severity } from './findings.ts'
import type { Words } from './words.ts'

/** How a source is shown. */
export const SOURCES = ['blocks', 'mjml', 'html'] as const
/** How a source is shown. */
export type Source = (typeof SOURCES)[number]

/** What the half shows and does. */
export interface Editing {
  readonly words: Words
  readonly draft: TemplateDraft
  readonly source: Source
  /** The MJML is shown as blocks. Undefined: as code. */
  readonly blocks:
    | { readonly isOpen: boolean; readonly failure: unknown; readonly selected: string }
    | undefined
  readonly findings: readonly Finding[]
  /** The finding that is shown beside its place. */
  readonly active: Finding | undefined
  readonly acts: FindingActs
  readonly api: MailApi
  /** A finding beside its place. */
  note(finding: Finding): TemplateResult
  readonly check: {
    readonly value: CheckAnswer | undefined
    readonly isPending: boolean
    readonly failure: unknown
  }
  onFinding(finding: Finding): void
  /** Shows the code. */
  onCode(): void
  /** Selects the block with this path; `''` for none. */
  onBlock(path: string): void
}

const TONES: Readonly<Record<Severity, string>> = { error: 'bad', warning: 'warn', info: 'info' }

/** Subject, preheader and sender. */
export function fieldStrip({
  words: { t },
  draft
}: Pick<Editing, 'words' | 'draft'>): TemplateResult {
  const { fields } = draft
  if (fields === undefined) return html``
  const field = (
    name: 'subject' | 'preheader' | 'fromEmail',
    label: string,
    { note = '', hint = '' }
  ) =>
    html`<label>
      <span class="top"><b>${label}</b><span>${note}</span></span>
      <input name=${name} .value=${fields[name]} placeholder=${hint} autocomplete="off"
        @input=${(event: Event) => draft.change({ [name]: (event.target as HTMLInputElement).value })} />
    </label>`
  const count = fields.subject.length
  return html`<div class="strip">
    ${field('subject', t('template.subject'), { note: count === 0 ? '' : t('template.length', { count }) })}
    ${field('preheader', t('template.preheader'), { hint: t('template.preheaderHint') })}
    ${field('fromEmail', t('template.from'), { hint: t('template.fromHint'), note: fields.fromName })}
  </div>`
}

/** The code and the findings. */
export function editingHalf(editing: Editing): TemplateResult {
  const { words, draft, source } = editing
  const { t, address } = words
  const { fields } = draft
  if (fields === undefined) return html`<div></div>`
  const language = source === 'html' ? 'html' : 'mjml'
  const isEmpty = fields.mjml === '' && fields.html === ''
  const isUnused = !isEmpty && draft.language !== language
  const write = (next: string) =>
    draft.change(
      language === 'mjml' ? { mjml: next } : { html: next, ...(fields.mjml !== '' && { mjml: '' }) }
    )
  const tab = (id: Source) =>
    html`<a href=${address({ source: id })} aria-current=${id === source ? 'true' : nothing}>${t(`template.${id}`)}</a>`
  return html`<div>
    <div class="bar">
      <nav class="tabs" aria-label=${t('template.source')}>${SOURCES.map(tab)}</nav>
      ${isUnused ? html`<span class="quiet">${t(`template.${language}Unused`)}</span>` : nothing}
    </div>
    ${editorOf(editing, { text: fields[language], findings: isUnused ? [] : editing.findings, write })}
    ${findingList(editing)}
  </div>`
}

function editorOf(
  { words: { t }, draft, blocks, check, active, api, note, onCode, onBlock }: Editing,
  {
    text,
    findings,
    write
  }: {
    readonly text: string
    readonly findings: readonly Finding[]
    write(text: string): void
  }
): TemplateResult {
  const names = check.value?.variables.map(({ path }) => path) ?? []
  const onText = ({ detail }: CustomEvent<{ text: string }>) => write(detail.text)
  const onSelect = ({ detail }: CustomEvent<{ path: string }>) => onBlock(detail.path)
  if (blocks === undefined)
    return html`<mailer-editor-pane label=${t('template.code')} .text=${text} .findings=${findings} .names=${names} .active=${active} .note=${note} @editor-text=${onText}></mailer-editor-pane>`
  if (blocks.failure !== undefined)
    return html`<div class="blocks"><keelson-error .error=${blocks.failure}></keelson-error></div>`
  if (!blocks.isOpen) return html`<p class="blocks bar quiet" aria-busy="true"></p>`
  return html`<mailer-block-editor class="blocks" .text=${text} .kind=${draft.fields?.kind} .note=${note} .api=${api} .selected=${blocks.selected} .findings=${findings} .names=${names} @editor-text=${onText} @editor-code=${onCode} @editor-block=${onSelect}></mailer-block-editor>`
}

function findingList(editing: Editing): TemplateResult {
  const { words, draft, findings, check } = editing
  const { t } = words
  const isEmpty = draft.fields?.mjml === '' && draft.fields.html === ''
  const state =
    check.failure !== undefined
      ? t('template.notChecked')
      : check.isPending
        ? t('template.checking')
        : ''
  const none =
    check.value === undefined ? nothing : t(isEmpty ? 'template.nothingYet' : 'template.noFindings')
  return html`<section aria-label=${t('template.findings')}>
    <div class="part-head"><h2>${t('template.findings')}</h2><span class="dim" role="status">${state}</span></div>
    ${
      findings.length === 0
        ? html`<p class="bar quiet">${none}</p>`
        : html`<ul class="lines">${findings.map((finding) => findingLine(finding, editing))}</ul>`
    }
  </section>`
}

function findingLine(
  finding: Finding,
  { words: { t }, active, acts, onFinding }: Editing
): TemplateResult {
  const { severity, message, hint, rule, at, field } = finding
  const isActive = active !== undefined && keyOf(active) === keyOf(finding)
  const hasFix = acts.fixOf(finding) !== undefined
  const place =
    at !== undefined ? t('template.line', { line: at.line }) : field && t(`template.${field}`)
  return html`<li class="finding ${isActive ? 'on' : ''}" tabindex="-1">
    <span class="tag ${TONES[severity]}">${t(`template.severity.${severity}`)}</span>
    <span class="grow" title=${rule}><b>${message}</b> <span class="quiet">${hasFix ? nothing : hint}</span></span>
    ${place === undefined ? nothing : html`<button class="link" @click=${() => onFinding(finding)}>${place}</button>`}
    ${fixButton(finding, acts)}
  </li>`
}
