// One subject in a program: its actions, the latest decisions, and what can be done.
import { html, nothing, type TemplateResult } from 'lit'
import { mailHref } from './addresses.ts'
import type { OneRunAnswer, RunLine } from './answers.ts'
import type { ProgramWords } from './board.ts'

/** What can be done with a run. */
export interface RunActs {
  onLook(): void
  onAbort(): void
  onSkip(action: string): void
}

/** The status of a run as a tag. */
export const runTag = ({ status }: Pick<RunLine, 'status'>, t: ProgramWords['t']) =>
  html`<span class="tag ${status === 'completed' ? 'good' : status === 'active' ? 'info' : ''}">${t(`program.run.${status}`)}</span>`

/** The panel with its head, for the slots of a drawer. */
export function runPanel(
  { run, decisions }: OneRunAnswer,
  words: ProgramWords,
  acts: RunActs
): TemplateResult {
  const { t, format } = words
  const isActive = run.status === 'active'
  return html`<div slot="header" class="panel-head">
      <h2>${run.subjectId}</h2>
      <p>${runTag(run, t)} <span class="dim">${t(`program.arm.${run.arm}`)}</span></p>
    </div>
    <section class="panel-part">
      <p><a class="link" href=${mailHref(words, `contact/${encodeURIComponent(run.subjectId)}`)}>${run.subjectId}</a>
        <span class="dim">${t('program.enteredAt')} ${format.dateTime(run.enteredAt)}</span></p>
      <ul class="history">
        ${Object.entries(run.actions).map(
          ([id, { status, attempts }]) => html`<li class="row">
            <b>${id}</b> ${t(`program.status.${status}`)} <span class="dim">${t('program.attempts', { count: attempts })}</span>
            ${isActive && status === 'pending' ? html`<button class="link push" @click=${() => acts.onSkip(id)}>${t('program.skip', { action: id })}</button>` : nothing}
          </li>`
        )}
      </ul>
    </section>
    <section class="panel-part">
      <h3>${t('program.decisions')}</h3>
      ${decisions.length === 0 ? html`<p class="dim">${t('program.noDecisions')}</p>` : nothing}
      <ol class="history">
        ${decisions.map(
          ({ at, kind, actionId, reason }) => html`<li>
            <time datetime=${at}>${format.dateTime(at)}</time>
            <span>${t(`program.kind.${kind}`)} ${actionId ?? ''} <span class="dim mono">${reason}</span></span>
          </li>`
        )}
      </ol>
    </section>
    ${
      isActive
        ? html`<div class="panel-part row">
          <button class="btn" @click=${acts.onLook}>${t('program.look')}</button>
          <button class="btn" @click=${acts.onAbort}>${t('program.abort')}</button>
        </div>`
        : nothing
    }`
}
