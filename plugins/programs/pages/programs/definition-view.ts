// The definition of a program as JSON, with what lint finds in it.
import { type SaidWords, saidWords } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { IssuesAnswer } from './answers.ts'

/** What the view shows and does. */
export interface DefinitionView {
  readonly text: string
  /** Undefined while they are loaded. */
  readonly issues: IssuesAnswer['issues'] | undefined
  /** Why the text cannot be saved yet; empty when it can. */
  readonly problem: string
  readonly words: SaidWords
  onType(text: string): void
}

/** The editor with the findings below. */
export function definitionView(view: DefinitionView): TemplateResult {
  const { text, issues, problem, words, onType } = view
  const { t } = words
  const type = (event: Event) => onType((event.target as HTMLTextAreaElement).value)
  return html`<div class="card form">
    <div class="pad">
      <label class="part">
        <span>${t('program.json')}</span>
        <textarea class="field mono" name="definition" spellcheck="false" aria-describedby=${problem === '' ? nothing : 'problem'} .value=${text} @input=${type}></textarea>
      </label>
      ${problem === '' ? nothing : html`<p class="problem" id="problem" role="alert">${problem}</p>`}
    </div>
    <section class="pad" aria-labelledby="issues">
      <h2 id="issues">${t('program.issues')}</h2>
      ${
        issues === undefined
          ? html`<p><span class="bone"></span></p>`
          : issues.length === 0
            ? html`<p class="dim">${t('program.noIssues')}</p>`
            : html`<ul class="issues">${issues.map(
                (issue) => html`<li>
                <span class="tag ${issue.severity === 'error' ? 'bad' : 'warn'}">${t(`program.${issue.severity}`)}</span>
                <span class="mono">${issue.path}</span> <span>${saidWords(issue, words)}</span>
              </li>`
              )}</ul>`
      }
    </section>
  </div>`
}
