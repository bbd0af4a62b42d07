// The Programs page: the list, and below its address one program with its board, runs and definition.
import {
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
  registerCatalog,
  Selection,
  type TableColumn,
  timeText
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { mailHref, slugOf } from '../addresses.ts'
import { listTable } from '../list-table.ts'
import { panelStyles } from '../panel-styles.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import type { ProgramAnswer, ProgramLine, RunLine } from './answers.ts'
import { boardView } from './board.ts'
import { definitionView } from './definition-view.ts'
import { ProgramLoads, pathOf } from './loads.ts'
import { runPanel, runTag } from './run-panel.ts'
import { programStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }

const STATUSES = ['', 'active', 'completed', 'exited', 'sunset']

class ProgramsPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles, panelStyles, programStyles]
  readonly #loads = new ProgramLoads(this, () => ({
    slug: this.#slug,
    tab: this.#tab,
    status: this.params.get('status') ?? '',
    run: this.params.get('run')
  }))
  readonly #selection = new Selection<RunLine>(this, { param: 'run', idOf: ({ _id }) => _id })
  #problem = ''

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
    return { t: this.t, format: this.format }
  }

  protected override get windowTitle(): string {
    const title = this.t('programs.title')
    return this.#slug === '' ? title : `${this.#program?.name ?? this.#slug} · ${title}`
  }

  async #act(path: string, done: string, body: object = {}): Promise<void> {
    const { api, program, stats, runs, run } = this.#loads
    await api.attempt(async () => {
      await api.act('POST', `${pathOf(this.#slug)}${path}`, body)
      this.toast({ text: this.t(done) })
      await Promise.all([program.reload(), stats.reload(), runs.reload(), run.reload()])
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

  async #save(text: string): Promise<void> {
    const { api, program, issues } = this.#loads
    try {
      const draft: unknown = JSON.parse(text)
      await api.act('PATCH', `${pathOf(this.#slug)}/draft`, { draft })
      this.#problem = ''
      this.toast({ text: this.t('program.saved'), tone: 'good' })
      await Promise.all([program.reload(), issues.reload()])
    } catch (error) {
      this.#problem =
        error instanceof SyntaxError
          ? this.t('program.notJson', { problem: error.message })
          : api.words(error)
      this.requestUpdate()
    }
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
                <a class="btn" href=${mailHref('programs')}>${this.t('program.toList')}</a>
              </keelson-empty></div>`
        }
      </div>`
  }

  #listView(): TemplateResult {
    return html`<keelson-page-header heading=${this.t('programs.title')}></keelson-page-header>
      <div class="main">
        ${listTable({
          heading: this.t('programs.title'),
          note: this.t('programs.note'),
          columns: this.#columns(),
          list: this.#loads.list,
          idOf: ({ slug }) => slug,
          href: ({ slug }) => mailHref(`programs/${encodeURIComponent(slug)}`),
          empty: html`<keelson-empty slot="empty" heading=${this.t('programs.none')} text=${this.t('programs.noneText')}></keelson-empty>`
        })}
      </div>`
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
    const now = Date.now()
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
        id: 'actions',
        header: this.t('programs.actions'),
        width: 80,
        align: 'end',
        hideBelow: 480,
        cell: ({ actionCount }) => this.format.number(actionCount)
      },
      {
        id: 'updated',
        header: this.t('programs.updated'),
        width: 130,
        quiet: true,
        hideBelow: 420,
        cell: ({ updatedAt }) => timeText(updatedAt, now, this.format),
        hint: ({ updatedAt }) => this.format.dateTime(updatedAt)
      }
    ]
  }

  #header(program: ProgramAnswer | undefined): TemplateResult {
    const act = (name: 'enable' | 'disable' | 'publish', tone = '') =>
      html`<button class="btn ${tone}" @click=${() => void this.#act(`/${name}`, `program.done.${name}`)}>${this.t(`program.${name}`)}</button>`
    const hasDraft = program !== undefined && program.draft !== null
    return html`<keelson-page-header heading=${program?.name ?? this.#slug}>
      <a slot="tags" class="link" href=${mailHref('programs')}>${this.t('programs.title')}</a>
      ${program === undefined ? nothing : this.#state({ ...program, hasDraft }, 'tags')}
      ${program?.ownerProblem === undefined ? nothing : html`<span slot="tags" class="tag bad">${this.t('program.held')}</span><span slot="tags" class="dim">${program.ownerProblem}</span>`}
      ${program === undefined || program.version === 0 ? nothing : act(program.enabled ? 'disable' : 'enable')}
      ${hasDraft ? act('publish', 'primary') : nothing}
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
    const share = (rate: number | null | undefined) =>
      rate === null || rate === undefined
        ? ''
        : t('program.ofEntered', { share: format.percent(rate) })
    return html`<div class="tiles">
      ${tile('program.entered', treated && format.number(treated.entered), t('program.arm.treatment'))}
      ${tile('program.completed', treated && format.number(treated.runs.completed), share(treated?.completedRate))}
      ${tile('program.arm.holdout', held && format.number(held.entered), share(held?.completedRate))}
      ${tile('program.uplift', uplift === null ? undefined : format.percent(uplift), uplift === null ? t('program.noUplift') : t('program.upliftText'))}
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
    if (this.#tab === 'runs') return this.#runs()
    if (this.#tab === '') return boardView(program, this.#loads.stats.value, this.#words)
    return definitionView({
      program,
      issues: this.#loads.issues.value?.issues,
      problem: this.#problem,
      t: this.t,
      onSave: (text) => void this.#save(text)
    })
  }

  #runs(): TemplateResult {
    const selection = this.#selection
    const status = this.params.get('status') ?? ''
    return html`<keelson-drawer
      ?open=${selection.id !== null}
      label=${this.t('program.runLabel')}
      @keelson-close=${selection.close}
    >
      ${listTable({
        slot: 'list',
        heading: this.t('program.tab.runs'),
        columns: this.#runColumns(),
        list: this.#loads.runs,
        idOf: ({ _id }) => _id,
        selection,
        actions: html`<select
          slot="actions"
          class="field pick"
          aria-label=${this.t('program.runStatus')}
          @change=${(event: Event) =>
            this.go({ status: (event.target as HTMLSelectElement).value, run: null })}
        >
          ${STATUSES.map((one) => html`<option value=${one} ?selected=${one === status}>${this.t(one === '' ? 'program.allStatuses' : `program.run.${one}`)}</option>`)}
        </select>`,
        empty: html`<keelson-empty slot="empty" heading=${this.t('program.noRuns')} text=${this.t('program.noRunsText')}></keelson-empty>`
      })}
      ${selection.id === null ? nothing : this.#panel(selection.id)}
    </keelson-drawer>`
  }

  #panel(id: string): TemplateResult {
    const { value, failure } = this.#loads.run
    if (value?.run._id !== id)
      return failure === undefined
        ? html`<p class="panel-part" aria-busy="true"><span class="bone"></span></p>`
        : html`<keelson-empty heading=${this.t('program.runMissing')}></keelson-empty>`
    const path = `/runs/${encodeURIComponent(id)}`
    return runPanel(value, this.#words, {
      onLook: () => void this.#act(`${path}/tick`, 'program.looked'),
      onAbort: () => void this.#abort(value.run),
      onSkip: (actionId) => void this.#act(`${path}/skip`, 'program.skipped', { actionId })
    })
  }

  #runColumns(): TableColumn<RunLine>[] {
    const now = Date.now()
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
      {
        id: 'entered',
        header: this.t('program.enteredAt'),
        width: 124,
        quiet: true,
        hideBelow: 420,
        cell: ({ enteredAt }) => timeText(enteredAt, now, this.format),
        hint: ({ enteredAt }) => this.format.dateTime(enteredAt)
      }
    ]
  }
}

registerTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonStat, KeelsonTable, KeelsonDrawer, KeelsonEmpty, KeelsonError)
definePage('mailer-programs', ProgramsPage)
