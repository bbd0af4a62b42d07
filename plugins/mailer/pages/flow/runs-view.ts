// The runs of a flow: a list, and one run with its history, to stop or to skip its step.
import { type Format, type TableColumn, timeColumn, timeText } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { stepAt } from '../../ledger/flow-paths.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { exitWords } from '../exit-words.ts'
import { holdWords } from '../refusals.ts'
import type { RunAnswer } from './answers.ts'
import { stepWords, type Words } from './step-words.ts'

type T = Words['t']

const TONES: Readonly<Record<string, string>> = {
  active: 'info',
  completed: 'good',
  exited: '',
  failed: 'bad'
}

/** What the views of runs need. */
export interface RunWords extends Words {
  /** Of the version that is shown: other versions name the path alone. */
  readonly steps: readonly FlowStep[]
  readonly version: number
  contactHref(externalId: string): string
}

export const runStatus = (status: string, t: T): TemplateResult =>
  html`<span class="tag ${TONES[status] ?? ''}">${t(`run.${status}`)}</span>`

/** Where a run is, in words. */
export function placeWords({ path, flowVersion }: RunAnswer, words: RunWords): string {
  const step = flowVersion === words.version ? stepAt(words.steps, path) : undefined
  if (step === undefined) return words.t('run.path', { path, version: flowVersion })
  return stepWords(step, words).title
}

/** A step by its title; of another version, and of a run's start, by its path. */
export function stepName(path: string, words: Words & Pick<RunWords, 'steps'>): string {
  const step = stepAt(words.steps, path)
  return step === undefined ? path : stepWords(step, words).title
}

const time = (format: Format, at: string | undefined): string =>
  at === undefined ? '–' : timeText(at, Date.now(), format)

const ANSWERS: Readonly<Record<string, string>> = { true: 'run.yes', false: 'run.no' }

/** What a step came to: values that speak for themselves without their names. */
function detailWords(detail: RunAnswer['history'][number]['detail'], { t, format }: Words): string {
  const words = ([name, value]: [string, unknown]): string => {
    if (name === 'until') return t('run.until', { time: format.dateTime(String(value)) })
    if (name === 'reason') return exitWords(String(value), t)
    const answer = ANSWERS[String(value)]
    if (answer !== undefined) return t(answer)
    return typeof value === 'string' ? value : `${name} ${JSON.stringify(value)}`
  }
  return Object.entries(detail ?? {})
    .map(words)
    .join(', ')
}

/** The columns of the list. */
export function runColumns(words: RunWords): TableColumn<RunAnswer>[] {
  const { t, format } = words
  return [
    {
      id: 'contact',
      header: t('run.contact'),
      link: true,
      cell: ({ externalId, emailAtEntry }) => emailAtEntry ?? externalId,
      hint: ({ externalId }) => externalId
    },
    {
      id: 'status',
      header: t('run.status'),
      width: 124,
      cell: ({ status }) => runStatus(status, t)
    },
    {
      id: 'place',
      header: t('run.step'),
      hideBelow: 520,
      cell: (run) => placeWords(run, words),
      hint: ({ path }) => path
    },
    timeColumn({ format }, ({ enteredAt }) => enteredAt, {
      id: 'entered',
      header: t('run.entered'),
      hideBelow: 420
    }),
    {
      id: 'next',
      header: t('run.next'),
      width: 210,
      quiet: true,
      hideBelow: 700,
      cell: ({ nextActionAt, exitReason }) =>
        exitReason === undefined ? time(format, nextActionAt) : exitWords(exitReason, t),
      hint: ({ nextActionAt }) =>
        nextActionAt === undefined ? undefined : format.dateTime(nextActionAt)
    }
  ]
}

/** What can be done with a run. */
export interface RunActs {
  onStop(): void
  onSkip(): void
}

/** One run, for the slots of a drawer. */
export function runPanel(run: RunAnswer, words: RunWords, acts: RunActs): TemplateResult {
  const { t, format, contactHref } = words
  const isShown = run.flowVersion === words.version
  const placed = (path: string) => (isShown ? stepName(path, words) : path)
  return html`<div slot="header" class="panel-head">
      <h2>${run.emailAtEntry ?? run.externalId}</h2>
      <p>${runStatus(run.status, t)} <span class="dim">${t('flow.version', { version: run.flowVersion })}</span></p>
    </div>
    <section class="panel-part">
      <dl class="facts">
        <dt>${t('run.contact')}</dt><dd><a href=${contactHref(run.externalId)}>${run.externalId}</a></dd>
        <dt>${t('run.step')}</dt><dd>${placeWords(run, words)}</dd>
        <dt>${t('run.entered')}</dt><dd>${format.dateTime(run.enteredAt)}</dd>
        ${run.nextActionAt === undefined ? nothing : html`<dt>${t('run.next')}</dt><dd>${format.dateTime(run.nextActionAt)}</dd>`}
        ${run.waitingFor === undefined ? nothing : html`<dt>${t('run.waitingFor')}</dt><dd class="mono">${run.waitingFor}</dd>`}
        ${run.hold === undefined ? nothing : html`<dt>${t('run.hold')}</dt><dd>${holdWords(run.hold, t)}</dd>`}
        ${run.exitReason === undefined ? nothing : html`<dt>${t('run.reason')}</dt><dd>${exitWords(run.exitReason, t)}</dd>`}
      </dl>
    </section>
    <section class="panel-part">
      <h3>${t('run.history')}</h3>
      <ol class="history">
        ${run.history.map(
          ({ at, path, action, detail }) => html`<li>
            <time datetime=${at}>${format.dateTime(at)}</time>
            <span>${t(`action.${action}`)} <span class="dim">${[...new Set([action === 'entered' ? '' : placed(path), detailWords(detail, words)])].join(' ')}</span></span>
          </li>`
        )}
      </ol>
    </section>
    ${
      run.status === 'active'
        ? html`<div class="panel-part row">
          <button class="btn" @click=${acts.onSkip}>${t('run.skip')}</button>
          <button class="btn" @click=${acts.onStop}>${t('run.stop')}</button>
        </div>`
        : nothing
    }`
}
