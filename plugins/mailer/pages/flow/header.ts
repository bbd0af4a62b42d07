// The head of the Flow page: its state, its tabs, what can be done with it.
import { breadcrumb, icon, menu } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { holdWords } from '../refusals.ts'
import { type FlowAnswer, STATE_TONES, stateOf } from './answers.ts'
import type { FlowDraft } from './draft.ts'
import { drawGlyph } from './glyphs.ts'
import type { Words } from './step-words.ts'

/** What the head shows and does. */
export interface FlowHeader {
  readonly words: Words
  readonly slug: string
  readonly flow: FlowAnswer | undefined
  readonly draft: FlowDraft
  readonly hasDraft: boolean
  readonly isSimulating: boolean
  readonly listHref: string
  readonly simulateHref: string
  readonly publishHref: string
  /** Why it cannot be published, and where that is mended. */
  readonly locked: { readonly reason: string; readonly href: string } | undefined
  readonly settingsHref: string
  onToggle(): void
  onDuplicate(): void
  onDelete(): void
}

const NOT_READ = { version: 0, enabled: false }

/** The head. */
export function flowHeader(header: FlowHeader): TemplateResult {
  const { words, slug, flow, listHref } = header
  const { t } = words
  // Before the flow is known its actions keep their place: on a phone they are a line of their own.
  return html`<keelson-page-header class=${flow ? '' : 'pending'} heading=${(flow?.name ?? slug) || t('flow.missing')}>
    ${breadcrumb(words, listHref, t('flows.title'))}
    ${flow && tags(header, flow)}
    ${actions(header, flow ?? NOT_READ)}
  </keelson-page-header>`
}

function tags({ words, draft, hasDraft }: FlowHeader, flow: FlowAnswer): TemplateResult {
  const { t } = words
  const state = stateOf(flow)
  return html`<span slot="tags" class="tag ${STATE_TONES[state]}">${t(`flow.state.${state}`, { version: flow.version })}</span>
    ${flow.ownerProblem === undefined ? nothing : html`<span slot="tags" class="tag bad">${t('flow.held')}</span><span slot="tags" class="dim">${holdWords({ cause: 'owner_forbidden', message: flow.ownerProblem }, t)}</span>`}
    ${hasDraft ? html`<span slot="tags" class="tag warn">${t('flow.draft')}</span>` : nothing}
    ${draft.status(hasDraft)}`
}

function actions(
  header: FlowHeader,
  flow: Pick<FlowAnswer, 'version' | 'enabled'>
): TemplateResult {
  const { words, draft, hasDraft, isSimulating, locked } = header
  const { t } = words
  return html`<button class="btn icon" aria-label=${t('flow.undo')} title=${t('flow.undo')} ?disabled=${!draft.canUndo} @click=${() => draft.undo()}>${drawGlyph('undo')}</button>
    <button class="btn icon" aria-label=${t('flow.redo')} title=${t('flow.redo')} ?disabled=${!draft.canRedo} @click=${() => draft.redo()}>${drawGlyph('redo')}</button>
    ${menu(
      t('flow.more'),
      html`<a class="btn quiet" href=${header.settingsHref}>${t('flow.settings')}</a>
        ${flow.version === 0 ? nothing : html`<button class="btn quiet" @click=${header.onToggle}>${t(flow.enabled ? 'flow.pause' : 'flow.resume')}</button>`}
        <button class="btn quiet" @click=${header.onDuplicate}>${t('flow.duplicate')}</button>
        <button class="btn quiet" @click=${header.onDelete}>${t('flow.delete')}</button>`
    )}
    <a class="btn" href=${header.simulateHref} aria-current=${isSimulating ? 'true' : nothing}>${t('flow.simulate')}</a>
    <a class="btn ${hasDraft && !locked ? 'primary' : ''}" href=${locked?.href ?? header.publishHref} title=${locked?.reason ?? nothing} aria-disabled=${hasDraft && !locked ? nothing : 'true'}>${t('flow.publish', { version: flow.version + 1 })}</a>`
}

/** Why the flow cannot be published yet, with a link to the step. */
export const lockedStrip = (
  locked: { readonly reason: string; readonly href: string } | undefined,
  t: (key: string) => string
) =>
  locked === undefined
    ? nothing
    : html`<p class="card locked" role="status">${icon('alert', 14)} <b>${t('flow.locked')}</b> <a class="link" href=${locked.href}>${locked.reason}</a></p>`
