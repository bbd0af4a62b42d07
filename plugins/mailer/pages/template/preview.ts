// The preview half of the Template page: the mail as a contact sees it, its variables, its versions.
import { icon, timeText } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { actorWords } from '../actor-words.ts'
import { mailHref, oneHref } from '../addresses.ts'
import type {
  CheckAnswer,
  PreviewAnswer,
  TemplateAnswer,
  UseAnswer,
  VersionAnswer
} from './answers.ts'
import type { PreviewContact } from './loads.ts'
import type { Words } from './words.ts'

/** How the mail is shown. */
export const VIEWS = ['desktop', 'phone', 'dark', 'text'] as const

/** Pixels. Below 480 the columns of a mail stack, as on a phone. */
const DESKTOP = 640

/** What the half shows and does. */
export interface PreviewHalf {
  readonly words: Words
  readonly view: (typeof VIEWS)[number]
  readonly mail: PreviewAnswer | undefined
  readonly failure: string
  /** Where pictures are shown. */
  readonly pictureFrame: URL
  /** Id of the contact; empty for the sample contact. */
  readonly contact: string
  readonly contacts: readonly PreviewContact[]
  readonly variables: CheckAnswer['variables']
  readonly row: TemplateAnswer
  /** Undefined until they are loaded. */
  readonly versions: readonly VersionAnswer[] | undefined
  readonly uses: readonly UseAnswer[] | undefined
  onContact(id: string): void
  onInsert(path: string): void
  onDeclare(name: string): void
  onRestore(version: number): void
}

/** The half. */
export function previewHalf(half: PreviewHalf): TemplateResult {
  const {
    words: { t, address },
    view
  } = half
  return html`<div class="side">
    <div class="bar">
      <nav class="tabs" aria-label=${t('template.preview')}>
        ${VIEWS.map((one) => html`<a href=${address({ view: one === 'desktop' ? null : one })} aria-current=${one === view ? 'true' : nothing}>${t(`template.view.${one}`)}</a>`)}
      </nav>
    </div>
    ${contactBar(half)} ${screen(half)} ${variableList(half)} ${useList(half)} ${versionList(half)}
  </div>`
}

function contactBar({ words: { t }, contact, contacts, onContact }: PreviewHalf): TemplateResult {
  const at = contacts.findIndex(({ externalId }) => externalId === contact)
  const step = (by: number) => {
    const next = contacts[(at + by + contacts.length) % contacts.length]
    if (next !== undefined) onContact(next.externalId)
  }
  const isKnown = contact === '' || at !== -1
  const button = (label: string, name: 'chevron-left' | 'chevron-right', by: number) =>
    html`<button class="btn icon quiet" aria-label=${label} ?disabled=${contacts.length === 0} @click=${() => step(by)}>${icon(name, 14)}</button>`
  return html`<div class="bar">
    <label class="row"><span class="quiet">${t('template.previewAs')}</span>
      <select class="field pick" @change=${(event: Event) => onContact((event.target as HTMLSelectElement).value)}>
        <option value="" ?selected=${contact === ''}>${t('template.sample')}</option>
        ${isKnown ? nothing : html`<option value=${contact} selected>${contact}</option>`}
        ${contacts.map(({ externalId, email }) => html`<option value=${externalId} ?selected=${externalId === contact}>${email}</option>`)}
      </select></label>
    ${button(t('template.previous'), 'chevron-left', -1)} ${button(t('template.next'), 'chevron-right', 1)}
  </div>`
}

function screen({
  words: { t },
  view,
  row,
  mail,
  failure,
  pictureFrame
}: PreviewHalf): TemplateResult {
  if (failure !== '')
    return html`<div class="screen"><p class="failed" role="alert">${icon('alert', 14)}${failure}</p></div>`
  if (mail === undefined || mail.html + mail.plainText === '')
    return html`<div class="screen"><p class="quiet">${t('template.noPreview')}</p></div>`
  const { subject, preheader, html: body, plainText } = mail
  const isText = view === 'text' || body === ''
  const { fromName, fromEmail } = row.draft ?? row
  const sender = fromName || fromEmail
  return html`<div class="inbox">
      ${sender === '' ? nothing : html`<span class="face" aria-hidden="true">${[...sender][0]?.toUpperCase()}</span><b>${sender}</b>`}
      <p><b>${subject}</b> <span class="quiet">${preheader}</span></p>
    </div>
    ${
      isText
        ? html`<div class="screen"><pre tabindex="0" role="region" aria-label=${t('template.view.text')}>${plainText}</pre></div>`
        : html`<div class="screen ${view}">
            <mailer-mail-frame .mail=${body} .least=${view === 'phone' ? 0 : DESKTOP} ?dark=${view === 'dark'} .about=${row.slug} .opaque=${pictureFrame} label=${t('template.preview')}></mailer-mail-frame>
          </div>`
    }
    ${view === 'dark' ? html`<p class="bar quiet">${t('template.darkNote')}</p>` : nothing}`
}

function variableList({
  words: { t },
  mail,
  variables,
  onInsert,
  onDeclare
}: PreviewHalf): TemplateResult {
  const values = new Map(mail?.variables.map((one) => [one.path, one]))
  const line = ({ path, isUsed, spec }: PreviewHalf['variables'][number]) => {
    const isUndeclared = path.startsWith('vars.') && spec === undefined
    const name = path.slice(5)
    const known = values.get(path)
    return html`<li class="variable">
      <button class="link mono" title=${t('template.insert', { name: path })} @click=${() => onInsert(path)}>${path}</button>
      <span class="grow" title=${known?.value ?? nothing}>${known === undefined ? nothing : shownValue(known, t)}</span>
      ${isUsed ? nothing : html`<span class="dim">${t('template.unused')}</span>`}
      ${isUndeclared ? html`<span class="tag warn">${t('template.undeclared')}</span><button class="link" @click=${() => onDeclare(name)}>${t('template.declare', { name })}</button>` : nothing}
    </li>`
  }
  return html`<section aria-label=${t('template.variables')}>
    <div class="part-head"><h2>${t('template.variables')}</h2>
      ${mail === undefined || variables.length === 0 ? nothing : html`<span class="quiet">${t('template.valuesOf', { contact: mail.contact.email })}</span>`}</div>
    ${variables.length === 0 ? html`<p class="bar quiet">${t('template.noVariables')}</p>` : html`<ul class="lines">${variables.map(line)}</ul>`}
  </section>`
}

const shownValue = ({ value, isMissing }: PreviewAnswer['variables'][number], t: Words['t']) =>
  isMissing
    ? html`<span class="tag warn">${t('template.missing')}</span>`
    : (value ?? html`<span class="quiet">${t('template.ownAddress')}</span>`)

function versionList(half: PreviewHalf): TemplateResult {
  const { words, mail, failure, versions, row, onRestore } = half
  const { t, format, now, address } = words
  const line = ({ version, publishedBy, publishedAt }: VersionAnswer) => html`<li>
    <b>v${version}</b>
    ${version === row.version ? html`<span class="tag good">${t('template.isLive')}</span>` : nothing}
    <span class="grow quiet">${actorWords(publishedBy, t)}, <time datetime=${publishedAt} title=${format.dateTime(publishedAt)}>${timeText(publishedAt, now, format)}</time></span>
    <a class="link" href=${address({ show: 'diff', from: String(version), to: 'draft' })} aria-label=${t('template.compareOf', { version })}>${t('template.compare')}</a>
    ${version === row.version ? nothing : html`<button class="link" aria-label=${t('template.restoreOf', { version })} @click=${() => onRestore(version)}>${t('template.restore')}</button>`}
  </li>`
  // Until the mail is drawn everything is further up than it will be.
  const isSettled = mail !== undefined || failure !== ''
  return html`<section class="versions ${isSettled ? 'settled' : ''}" aria-label=${t('template.versions')}>
    <div class="part-head"><h2>${t('template.versions')}</h2></div>
    ${versions?.length === 0 ? html`<p class="bar quiet">${t('template.noVersions')}</p>` : html`<ul class="lines">${versions?.map(line)}</ul>`}
  </section>`
}

/** The page of each kind of what sends a template; of kinds of other plugins, as far as they are known. */
function hrefOf(words: Words, { kind, slug }: UseAnswer): string | undefined {
  if (kind === 'flow' || kind === 'broadcast') return oneHref(words, kind, slug)
  return kind === 'program' ? mailHref(words, 'programs') : undefined
}

const KNOWN_USES = ['flow', 'broadcast', 'program']

function useList({ words, uses }: PreviewHalf): TemplateResult {
  const { t } = words
  const line = (use: UseAnswer) => html`<li>
    <span class="quiet">${KNOWN_USES.includes(use.kind) ? t(`template.use.${use.kind}`) : use.kind}</span>
    <a class="link grow" href=${hrefOf(words, use) ?? nothing}>${use.name}</a>
  </li>`
  return html`<section aria-label=${t('template.usedBy')}>
    <div class="part-head"><h2>${t('template.usedBy')}</h2></div>
    ${uses?.length === 0 ? html`<p class="bar quiet">${t('template.noUses')}</p>` : html`<ul class="lines">${uses?.map(line)}</ul>`}
  </section>`
}
