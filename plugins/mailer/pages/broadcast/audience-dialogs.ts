// Dialogs about the audience of a draft: who matches, and a name for its filters.
import { formDialog, formText, type Sending } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { mailHref } from '../addresses.ts'
import { nameFields } from '../name-fields.ts'
import type { Matching } from './matching.ts'
import type { PreviewView } from './preview/preview-panel.ts'
import type { Words } from './words.ts'

/** What the list of contacts shows. */
export interface WhoMatches {
  readonly words: Words
  /** Undefined while they are read. */
  readonly contacts: readonly Matching[] | undefined
  /** Why they could not be read; empty when they were. */
  readonly problem: string
  onClose(): void
}

/** The first contacts whom the broadcast would reach. */
export function whoDialog({ words, contacts, problem, onClose }: WhoMatches): TemplateResult {
  const { t } = words
  const link = ({ externalId, email }: Matching) =>
    html`<li><a class="link grow" href=${mailHref(words, `contact/${encodeURIComponent(externalId)}`)}>${email}</a></li>`
  const list = () =>
    contacts?.length === 0
      ? html`<p class="quiet">${t('broadcast.whoNone')}</p>`
      : html`<ul class="lines">${contacts?.map(link) ?? nothing}</ul>`
  return html`<keelson-dialog open heading=${t('broadcast.who')} width="480" @keelson-close=${onClose}>
    <p class="quiet" role="status">${contacts === undefined && problem === '' ? t('broadcast.counting') : t('broadcast.whoNote')}</p>
    ${problem === '' ? list() : html`<p class="problem" role="alert">${problem}</p>`}
    <button slot="actions" class="btn" @click=${onClose}>${t('ui.close')}</button>
  </keelson-dialog>`
}

/** The mail as contacts of the audience get it; the panel is defined when it is loaded. */
export const previewDialog = (
  { t }: Words,
  view: PreviewView,
  onClose: () => void
): TemplateResult => html`<keelson-dialog open heading=${t('broadcast.preview')} width="760" @keelson-close=${onClose}>
    <mailer-broadcast-preview .view=${view}></mailer-broadcast-preview>
    <button slot="actions" class="btn" @click=${onClose}>${t('ui.close')}</button>
  </keelson-dialog>`

/** What the naming of filters shows and does. */
export interface NamingSegment {
  readonly words: Words
  readonly sending: Sending
  onClose(): void
  onName(named: { readonly name: string; readonly slug: string }): void
}

/** Names the filters of the audience, for other broadcasts and flows. */
export function nameSegmentDialog({
  words: { t },
  sending,
  onClose,
  onName
}: NamingSegment): TemplateResult {
  const { isSending, problem } = sending
  return formDialog({
    isSending,
    problem,
    t,
    onClose,
    body: html`<p>${t('broadcast.saveSegmentText')}</p>${nameFields(t)}`,
    heading: t('broadcast.saveSegment'),
    action: t('mail.save'),
    onSubmit: (form) => onName({ name: formText(form, 'name'), slug: formText(form, 'slug') })
  })
}
