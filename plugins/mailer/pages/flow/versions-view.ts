// The versions of a flow: a list of links, and what a version changed.
import { html, nothing, type TemplateResult } from 'lit'
import type { DiffLine } from '../../ledger/diff-lines.ts'
import { actorWords } from '../actor-words.ts'
import { diffView } from '../diff-view.ts'
import type { VersionLine } from './answers.ts'
import type { Words } from './step-words.ts'

/** What the view shows. */
export interface VersionsView {
  readonly words: Words
  readonly versions: readonly VersionLine[]
  /** The version that is compared with the one before; 0 for the draft. */
  readonly shown: number
  readonly live: number
  readonly hasDraft: boolean
  /** Undefined until they are loaded. */
  readonly lines: readonly DiffLine[] | undefined
  href(version: number): string
  onRollback(version: number): void
}

/** The list beside the difference. */
export function versionsView(view: VersionsView): TemplateResult {
  const { words, versions, shown, live, hasDraft, lines, onRollback } = view
  const { t } = words
  return html`<div class="versions">
    <nav class="card" aria-label=${t('flow.versions')}>
      <ul>
        ${hasDraft ? item(view, 0, html`<span class="tag warn">${t('flow.draft')}</span>`, '') : nothing}
        ${versions.map((version) =>
          item(
            view,
            version.version,
            html`${t('flow.version', { version: version.version })} ${version.version === live ? html`<span class="tag good">${t('flow.liveTag')}</span>` : nothing}`,
            `${words.format.dateTime(version.publishedAt)}, ${actorWords(version.publishedBy, t)}`
          )
        )}
      </ul>
    </nav>
    <section class="card stack part" aria-labelledby="changes">
      <div class="row">
        <h2 id="changes">${t('flow.changes')}</h2>
        ${
          shown !== 0 && shown !== live
            ? html`<button class="btn push" @click=${() => onRollback(shown)}>${t('flow.rollback', { version: shown })}</button>`
            : nothing
        }
      </div>
      ${lines === undefined ? html`<p class="dim" role="status">${t('ui.loading')}</p>` : diffView(lines, { t, none: t('flow.noChanges') })}
    </section>
  </div>`
}

function item(
  { shown, href }: VersionsView,
  version: number,
  words: TemplateResult,
  note: string
): TemplateResult {
  return html`<li>
    <a href=${href(version)} aria-current=${version === shown ? 'true' : nothing}>
      <b>${words}</b>${note === '' ? nothing : html`<small class="dim">${note}</small>`}
    </a>
  </li>`
}
