// The Programs page: the list, and below its address one program with its board, runs and definition.
import {
  breadcrumb,
  choiceField,
  controls,
  define,
  definePage,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonStat,
  KeelsonTable,
  List,
  type Messages,
  registerCatalog,
  shareCell,
  shareStyles,
  type TableColumn,
  timeColumn
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { mailHref, slugOf } from './addresses.ts'
import type { OneRunAnswer, ProgramAnswer, ProgramLine, RunLine } from './answers.ts'
import { boardView } from './board.ts'
import { DefinitionDraft, rowOf } from './definition-draft.ts'
import { definitionView } from './definition-view.ts'
import { ProgramLoads, pathOf } from './loads.ts'
import { runPanel, runTag } from './run-panel.ts'
import { programStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }

/** The elements bring English along. */
const elements: Messages = {}
/** English is what the server says. */
const about: Messages = {}

const STATUSES = ['', 'active', 'completed', 'exited', 'sunset']

class ProgramsPage extends KeelsonPage {
  static override readonly styles = [controls, shareStyles, programStyles]
  readonly #loads = new ProgramLoads(this, () => ({
    slug: this.#slug,
    tab: this.#tab
  }))
  readonly #list = new List<ProgramLine>(this, {
    texts: 'programs',
    source: {
      idOf: ({ slug }) => slug,
      about: () => (this.#slug === '' ? [] : null),
      read: (_narrowing, _position, signal) => this.#loads.api.read('/programs', signal)
    },
    href: ({ slug }) => mailHref(this, `programs/${encodeURIComponent(slug)}`),
    columns: () => this.#columns()
  })
  readonly #runs = new List<RunLine, OneRunAnswer>(this, {
    texts: 'program.runs',
    source: {
      idOf: ({ _id }) => _id,
      words: (error) => this.#loads.api.words(error),
      about: () => (this.#slug !== '' && this.#tab === 'runs' ? [this.#slug] : null),
      read: (narrowing, position, signal) =>
        this.#loads.api.pages<RunLine>(`${pathOf(this.#slug)}/runs`)(narrowing, position, signal)
    },
    filters: { params: ['status'] },
    actions: () =>
      choiceField(this, 'status', {
        slot: 'actions',
        label: this.t('program.runStatus'),
        closes: { run: null },
        choices: STATUSES.map((one) => [
          one,
          this.t(one === '' ? 'program.allStatuses' : `program.run.${one}`)
        ])
      }),
    panel: {
      param: 'run',
      read: (id, signal) =>
        this.#loads.api.find(`${pathOf(this.#slug)}/runs/${encodeURIComponent(id)}`, signal),
      view: (answer) => this.#panel(answer)
    },
    columns: () => this.#runColumns()
  })
  readonly #draft: DefinitionDraft = new DefinitionDraft(
    this,
    () => this.#slug,
    () => this.#loads
  )
  #opened: ProgramAnswer | undefined

  get #slug(): string {
    return slugOf(this.sub)
  }

  get #tab(): string {
    return this.params.get('tab') ?? ''
  }

  get #program(): ProgramAnswer | undefined {
    const { value } = this.#loads.program
    return value?.slug === this.#slug ? value : undefined
  }

  get #words() {
    return { t: this.t, format: this.format, linkTo: this.linkTo }
  }

  protected override get windowTitle(): string {
    const title = this.t('programs.title')
    return this.#slug === '' ? title : `${this.#program?.name ?? this.#slug} · ${title}`
  }

  async #act(path: string, done: string, body: object = {}): Promise<void> {
    const { api, program, stats } = this.#loads
    await api.attempt(async () => {
      await api.act('POST', `${pathOf(this.#slug)}${path}`, body)
      this.toast({ text: this.t(done) })
      await Promise.all([program.reload(), stats.reload(), this.#runs.reload()])
    })
  }

  async #abort({ _id, subjectId }: RunLine): Promise<void> {
    const isSure = await this.confirm({
      heading: this.t('program.abortHeading', { subject: subjectId }),
      text: this.t('program.abortText'),
      action: this.t('program.abort'),
      tone: 'bad'
    })
    if (isSure) await this.#act(`/runs/${encodeURIComponent(_id)}/abort`, 'program.aborted')
  }

  /** What was typed is saved first; what cannot be saved is not published. */
  async #publish(): Promise<void> {
    if (await this.#draft.flush()) await this.#act('/publish', 'program.done.publish')
    else this.toast({ text: this.#notJson || this.#draft.reason, tone: 'bad' })
  }

  /** Why the text cannot be read; empty when it can. */
  get #notJson(): string {
    try {
      JSON.parse(this.#draft.fields?.text ?? '{}')
      return ''
    } catch (error) {
      return this.t('program.notJson', { problem: (error as Error).message })
    }
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed)
    const program = this.#program
    if (program === undefined || program === this.#opened) return
    const isSame = program.slug === this.#opened?.slug
    this.#opened = program
    this.#draft.take(program.slug, rowOf(program, isSame ? this.#draft.fields?.text : undefined))
  }

  protected override content(): TemplateResult {
    if (this.#slug === '') return this.#listView()
    const program = this.#program
    const { failure } = this.#loads.program
    return html`${this.#header(program)}
      <div class="main">
        ${
          program !== undefined
            ? html`${this.#figures()} ${this.#tabs()} ${this.#body(program)}`
            : failure === undefined
              ? html`<div class="card pad" aria-busy="true"><p><span class="bone"></span></p></div>`
              : html`<div class="card"><keelson-empty heading=${this.t('program.missing')} text=${this.#loads.api.words(failure)}>
                <a class="btn" href=${mailHref(this, 'programs')}>${this.t('program.toList')}</a>
              </keelson-empty></div>`
        }
      </div>
      ${this.#draft.notice()}`
  }

  #listView(): TemplateResult {
    return html`<keelson-page-header heading=${this.t('programs.title')}></keelson-page-header>
      <div class="main">
        ${this.#list.view()}
      </div>`
  }

  /** Why its mails are held. */
  #held(problem: string): string {
    const words = this.t('about.ownerProblem')
    return words === 'about.ownerProblem' ? problem : words
  }

  #state(
    { enabled, version, hasDraft }: Pick<ProgramLine, 'enabled' | 'version' | 'hasDraft'>,
    slot = ''
  ): TemplateResult {
    const key = version === 0 ? 'new' : enabled ? 'on' : 'off'
    const tone = version === 0 ? '' : enabled ? 'good' : 'warn'
    return html`<span slot=${slot || nothing}><span class="tag ${tone}">${this.t(`program.${key}`, { version })}</span>
      ${!hasDraft ? nothing : html`<span class="tag warn">${this.t('program.draft')}</span>`}</span>`
  }

  #columns(): TableColumn<ProgramLine>[] {
    return [
      {
        id: 'name',
        header: this.t('programs.name'),
        grow: 2,
        link: true,
        cell: ({ name }) => name,
        hint: ({ slug }) => slug
      },
      {
        id: 'state',
        header: this.t('programs.state'),
        width: 150,
        cell: (program) => this.#state(program)
      },
      {
        id: 'entered',
        header: this.t('program.entered'),
        width: 88,
        align: 'end',
        cell: ({ results }) => this.#count(results?.entered)
      },
      {
        id: 'mails',
        header: this.t('programs.mails'),
        width: 88,
        align: 'end',
        hideBelow: 560,
        cell: ({ results }) => this.#count(results?.mails)
      },
      {
        id: 'completed',
        header: this.t('program.completed'),
        width: 170,
        hideBelow: 700,
        cell: ({ results }) =>
          typeof results?.completedRate === 'number'
            ? shareCell(results.completedRate, this.format)
            : '–',
        hint: ({ results }) =>
          this.t('programs.completedOf', {
            completed: this.#count(results?.completed),
            entered: this.#count(results?.entered)
          })
      },
      {
        id: 'uplift',
        header: this.t('programs.uplift'),
        width: 110,
        align: 'end',
        hideBelow: 620,
        cell: ({ results }) => this.#uplift(results?.uplift ?? null),
        hint: () => this.t('program.upliftText')
      },
      timeColumn(this, ({ updatedAt }) => updatedAt, {
        id: 'updated',
        header: this.t('programs.updated'),
        hideBelow: 860
      })
    ]
  }

  #count(value: number | undefined): string {
    return value === undefined ? '–' : this.format.number(value)
  }

  /** Two shares differ by points, not by percent. */
  #uplift(uplift: number | null): string {
    if (uplift === null) return '–'
    const points = this.format.number(100 * uplift, {
      maximumFractionDigits: 1,
      signDisplay: 'exceptZero'
    })
    return this.t('program.points', { points })
  }

  #header(program: ProgramAnswer | undefined): TemplateResult {
    const act = (name: 'enable' | 'disable') =>
      html`<button class="btn" @click=${() => void this.#act(`/${name}`, `program.done.${name}`)}>${this.t(`program.${name}`)}</button>`
    const hasDraft =
      program !== undefined && (program.draft !== null || this.#draft.phase !== 'saved')
    return html`<keelson-page-header heading=${program?.name ?? this.#slug}>
      ${breadcrumb(this, mailHref(this, 'programs'), this.t('programs.title'))}
      ${program === undefined ? nothing : this.#state({ ...program, hasDraft }, 'tags')}
      ${program?.ownerProblem === undefined ? nothing : html`<span slot="tags" class="tag bad">${this.t('program.held')}</span><span slot="tags" class="dim">${this.#held(program.ownerProblem)}</span>`}
      ${program === undefined || program.version === 0 ? nothing : act(program.enabled ? 'disable' : 'enable')}
      ${this.#draft.status(this.#tab === 'definition')}
      ${hasDraft ? html`<button class="btn primary" @click=${() => void this.#publish()}>${this.t('program.publish')}</button>` : nothing}
    </keelson-page-header>`
  }

  #figures(): TemplateResult {
    const { value, missing, isFirst } = this.#loads.stats
    const { format, t } = this
    const tile = (label: string, text: string | undefined, against: string) => html`<keelson-stat
      label=${t(label)}
      value=${text ?? '–'}
      against=${against}
      .error=${missing}
      ?loading=${isFirst}
    ></keelson-stat>`
    const treated = value?.arms.treatment
    const held = value?.arms.holdout
    const uplift = value?.uplift ?? null
    const share = (text: string, rate: number | null | undefined) =>
      typeof rate === 'number' ? t(text, { share: format.percent(rate) }) : ''
    return html`<div class="tiles">
      ${tile('program.entered', treated && format.number(treated.entered), t('program.arm.treatment'))}
      ${tile('program.completed', treated && format.number(treated.runs.completed), share('program.ofEntered', treated?.completedRate))}
      ${tile('program.arm.holdout', held && format.number(held.entered), share('program.alone', held?.completedRate))}
      ${tile('program.uplift', uplift === null ? undefined : this.#uplift(uplift), uplift === null ? t('program.noUplift') : t('program.upliftText'))}
    </div>`
  }

  #tabs(): TemplateResult {
    return html`<nav class="seg" aria-label=${this.t('program.views')}>
      ${['', 'runs', 'definition'].map(
        (tab) => html`<a
          href=${this.address({ tab: tab || null, run: null, status: null })}
          aria-current=${tab === this.#tab ? 'page' : nothing}
        >${this.t(`program.tab.${tab || 'board'}`)}</a>`
      )}
    </nav>`
  }

  #body(program: ProgramAnswer): TemplateResult {
    if (this.#tab === 'runs') return this.#runs.view()
    if (this.#tab === '') return boardView(program, this.#loads.stats.value, this.#words)
    return definitionView({
      text: this.#draft.fields?.text ?? '',
      issues: this.#loads.issues.value?.issues,
      problem: this.#notJson,
      words: this.#words,
      onType: (text) => this.#draft.type(text)
    })
  }

  #panel(answer: OneRunAnswer): TemplateResult {
    const path = `/runs/${encodeURIComponent(answer.run._id)}`
    return runPanel(answer, this.#words, {
      onLook: () => void this.#act(`${path}/tick`, 'program.looked'),
      onAbort: () => void this.#abort(answer.run),
      onSkip: (actionId) => void this.#act(`${path}/skip`, 'program.skipped', { actionId })
    })
  }

  #runColumns(): TableColumn<RunLine>[] {
    return [
      {
        id: 'subject',
        header: this.t('program.subject'),
        grow: 2,
        link: true,
        cell: ({ subjectId }) => subjectId
      },
      {
        id: 'status',
        header: this.t('program.runStatus'),
        width: 104,
        cell: (run) => runTag(run, this.t)
      },
      {
        id: 'arm',
        header: this.t('program.arm'),
        width: 96,
        quiet: true,
        hideBelow: 520,
        cell: ({ arm }) => this.t(`program.arm.${arm}`)
      },
      {
        id: 'done',
        header: this.t('program.done'),
        width: 110,
        align: 'end',
        hideBelow: 620,
        cell: ({ actions }) => {
          const all = Object.values(actions)
          const done = all.filter((action) => action.status === 'satisfied').length
          return `${this.format.number(done)} / ${this.format.number(all.length)}`
        }
      },
      timeColumn(this, ({ enteredAt }) => enteredAt, {
        id: 'entered',
        header: this.t('program.enteredAt'),
        hideBelow: 420
      })
    ]
  }
}

registerCatalog('en', elements, { de: () => import('@keelson/ui/german') })
registerCatalog('en', about, { de: () => import('./about.de.json', { with: { type: 'json' } }) })
registerCatalog('en', about, { de: () => import('./said.de.json', { with: { type: 'json' } }) })
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonStat, KeelsonTable, KeelsonDrawer, KeelsonEmpty, KeelsonError)
definePage('programs-page', ProgramsPage)
