// The definition of a program as JSON: saved as a draft, with what lint finds in it.
import { html, nothing, type TemplateResult } from 'lit'
import type { IssuesAnswer, ProgramAnswer } from './answers.ts'

/** What the view shows and does. */
export interface DefinitionView {
  readonly program: ProgramAnswer
  /** Undefined while they are loaded. */
  readonly issues: IssuesAnswer['issues'] | undefined
  readonly problem: string
  t(key: string): string
  onSave(text: string): void
}

/** The editor with the findings below. */
export function definitionView(view: DefinitionView): TemplateResult {
  const { program, issues, problem, t, onSave } = view
  const text = JSON.stringify(program.draft ?? program.definition ?? {}, null, 2)
  const submit = (event: Event) => {
    event.preventDefault()
    const data = new FormData(event.currentTarget as HTMLFormElement)
    onSave(String(data.get('definition') ?? ''))
  }
  return html`<form class="card form" @submit=${submit}>
    <div class="pad">
      <label class="part">
        <span>${t('program.json')}</span>
        <textarea class="field mono" name="definition" spellcheck="false" .value=${text}></textarea>
      </label>
      ${problem === '' ? nothing : html`<p class="problem" role="alert">${problem}</p>`}
      <p><button class="btn primary">${t('program.save')}</button></p>
    </div>
    <section class="pad" aria-labelledby="issues">
      <h2 id="issues">${t('program.issues')}</h2>
      ${
        issues === undefined
          ? html`<p><span class="bone"></span></p>`
          : issues.length === 0
            ? html`<p class="dim">${t('program.noIssues')}</p>`
            : html`<ul class="issues">${issues.map(
                ({ severity, path, message }) => html`<li>
                <span class="tag ${severity === 'error' ? 'bad' : 'warn'}">${severity}</span>
                <span class="mono">${path}</span> <span>${message}</span>
              </li>`
              )}</ul>`
      }
    </section>
  </form>`
}
