// The head of the Template page: its state, what can be done with it, why it cannot be published.
import { breadcrumb, icon, menu } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { mailHref } from '../addresses.ts'
import type { TemplateAnswer } from './answers.ts'
import type { TemplateDraft } from './draft.ts'
import type { Finding } from './findings.ts'
import type { Words } from './words.ts'

/** Errors that the strip names; of others it says the number. */
const NAMED = 2

/** What the head shows and does. */
export interface TemplateHeader {
  readonly words: Words
  readonly slug: string
  readonly row: TemplateAnswer | undefined
  readonly draft: TemplateDraft
  /** Errors that block publishing. */
  readonly errors: readonly Finding[]
  /** There is no source yet. */
  readonly isEmpty: boolean
  onSave(): void
  onDelete(): void
  onNextError(): void
}

/** The head. */
export function templateHeader(header: TemplateHeader): TemplateResult {
  const { words, slug, row, draft } = header
  const { t } = words
  // Before the template is known its actions keep their place: on a phone they are lines of their own.
  return html`<keelson-page-header class=${row === undefined ? 'pending' : ''} heading=${draft.fields?.name ?? slug}>
      ${breadcrumb(words, mailHref(words, 'templates'), t('template.templates'))}
      ${row === undefined ? nothing : tags(header, row)} ${actions(header, row ?? { version: 0, draft: null, revision: 0 })}
    </keelson-page-header>
    ${row === undefined || header.errors.length === 0 ? nothing : locked(header, row)}`
}

function tags({ words: { t }, draft }: TemplateHeader, row: TemplateAnswer): TemplateResult {
  const { version } = row
  const hasDraft = draft.differsFrom(row)
  return html`<span slot="tags" class="tag hide">${t(`mail.${draft.fields?.kind ?? row.kind}`)}</span>
    <span slot="tags" class="tag ${version === 0 ? '' : 'good'}">${version === 0 ? t('template.unpublished') : t('template.live', { version })}</span>
    ${hasDraft ? html`<span slot="tags" class="tag warn">${t('template.draft')}</span>` : nothing}
    ${draft.status(hasDraft)}`
}

/** What the actions know of a template that may not be read yet. */
type Shown = Pick<TemplateAnswer, 'version' | 'draft' | 'revision'>

function actions(header: TemplateHeader, row: Shown): TemplateResult {
  const { version } = row
  const { words, draft, errors, isEmpty } = header
  const { t, address } = words
  const canSave = draft.phase === 'waiting' || draft.phase === 'failed'
  const publish = t('template.publish', { version: version + 1 })
  const isNew = version === 0 || draft.differsFrom(row)
  return html`<button class="btn" ?disabled=${!canSave} @click=${header.onSave}>${t('template.saveDraft')}</button>
    <a class="btn" href=${address({ show: 'diff', from: 'published', to: 'draft' })}>${t('template.compare')}</a>
    <a class="btn" href=${address({ show: 'test' })}>${t('template.test')}</a>
    ${menu(
      t('template.more'),
      html`<a class="btn quiet" href=${address({ show: 'settings' })}>${t('template.settings')}</a>
        <a class="btn quiet" href=${address({ show: 'duplicate' })}>${t('template.duplicate')}</a>
        <button class="btn quiet" @click=${header.onDelete}>${t('template.delete')}</button>`
    )}
    ${
      isEmpty
        ? html`<button class="btn" aria-disabled="true" title=${t('template.nothingYet')}>${publish}</button>`
        : errors.length > 0
          ? html`<button class="btn" aria-disabled="true" title=${t('template.publishLocked')} @click=${header.onNextError}>${publish}</button>`
          : isNew
            ? html`<a class="btn primary" role="button" href=${address({ show: 'publish' })}>${publish}</a>`
            : html`<button class="btn" aria-disabled="true" title=${t('template.nothingNew')}>${publish}</button>`
    }`
}

const locked = (
  { words: { t }, errors, onNextError }: TemplateHeader,
  { version }: TemplateAnswer
) =>
  html`<div class="locked" role="status">
    ${icon('alert', 14)} <b>${t('template.locked')}</b>
    <span>${errors
      .slice(0, NAMED)
      .map(({ message }) => message)
      .join(' ')}</span>
    ${errors.length > NAMED ? html`<span>${t('template.lockedMore', { count: errors.length - NAMED })}</span>` : nothing}
    ${version === 0 ? nothing : html`<span>${t('template.staysLive', { version })}</span>`}
    <button class="link push" @click=${onNextError}>${t('template.nextError')} <kbd>F8</kbd></button>
  </div>`
