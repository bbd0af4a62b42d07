// The Flow page: one flow on a canvas, edited as a draft, simulated, with its runs and versions.
import {
  controls,
  type DraftRequest,
  define,
  definePage,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonPage,
  KeelsonPageHeader,
  Load,
  registerCatalog,
  Selection
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { stepAt } from '../../ledger/flow-paths.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { mailHref, slugOf } from '../addresses.ts'
import { diffStyles } from '../diff-styles.ts'
import { withTexts } from '../late-part.ts'
import { panelStyles } from '../panel-styles.ts'
import { editedOf, type FlowAnswer, type RunAnswer } from './answers.ts'
import { canvasView } from './canvas.ts'
import { canvasStyles } from './canvas-styles.ts'
import { FlowDraft, rowOf } from './draft.ts'
import type { Editing } from './editing.ts'
import { enteredAt } from './entered.ts'
import { figures, legend, runsOf } from './figures.ts'
import type { FlowActs } from './flow-acts.ts'
import { flowHeader, lockedStrip } from './header.ts'
import { laneOf } from './lane.ts'
import { FlowLoads } from './loads.ts'
import type { StepEdits } from './step-edits.ts'
import { registerStepTexts } from './step-texts.ts'
import { flowStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }
import { triggerWords } from './trigger-words.ts'

type EditViews = typeof import('./editing.ts')
/** How large the canvas is drawn, in percent. */
const ZOOMS = [50, 75, 100, 125, 150]
const NO_FAULTS: ReadonlyMap<string, string> = new Map()

class FlowPage extends KeelsonPage {
  static override readonly styles = [controls, panelStyles, diffStyles, flowStyles, canvasStyles]
  static override readonly properties = {
    ...KeelsonPage.properties,
    _type: { state: true }
  }
  /** The trigger that the form of the flow asks for. */
  declare _type: FlowAnswer['trigger']['type'] | undefined
  readonly #draft: FlowDraft = new FlowDraft(this, {
    save: (steps, request) => this.#save(steps, request),
    read: async () => {
      const flow = await this.#loads.api.read<FlowAnswer>(this.#path)
      this.#loads.flow.set(flow)
      return rowOf(flow)
    },
    words: (error) => this.#loads.api.words(error)
  })
  readonly #loads = new FlowLoads(this, () => ({
    slug: this.#slug,
    tab: this.#tab,
    contact: (this.params.get('sim') ?? '').replace(/^-$/, ''),
    steps: this.#draft.steps,
    status: this.params.get('status') ?? '',
    atStep: this.params.get('at') ?? '',
    version: this.#shownVersion
  }))
  readonly #editing = new Load(this, {
    args: () => (this.#flow === undefined ? null : ([] as const)),
    run: async () => withTexts(await import('./editing.ts'))
  })
  readonly #tabViews = new Load(this, {
    args: () => (this.#tab === '' ? null : ([] as const)),
    run: async () => withTexts(await import('./tabs.ts'))
  })
  readonly #strips = new Load(this, {
    args: () => (this.params.has('sim') ? ([] as const) : null),
    run: async () => withTexts(await import('./simulation.ts'))
  })
  readonly #run = new Selection<RunAnswer>(this, { param: 'run', idOf: ({ _id }) => _id })
  #opened: FlowAnswer | undefined
  #ownActs: FlowActs | undefined
  #ownEdits: StepEdits | undefined

  constructor() {
    super()
    this._type = undefined
  }

  get #slug(): string {
    return slugOf(this.sub)
  }

  get #tab(): string {
    return this.params.get('tab') ?? ''
  }

  /** Undefined until editing is loaded. */
  get #acts(): FlowActs | undefined {
    const editing = this.#editing.value
    if (editing === undefined) return undefined
    const slug = () => this.#slug
    this.#ownActs ??= new editing.FlowActs(this, { loads: this.#loads, draft: this.#draft, slug })
    return this.#ownActs
  }

  get #edits(): StepEdits | undefined {
    const editing = this.#editing.value
    if (editing === undefined) return undefined
    this.#ownEdits ??= new editing.StepEdits(this, {
      draft: this.#draft,
      isEditable: () => this.#tab === '' && this.#draft.steps !== undefined,
      selected: () => this.params.get('step')
    })
    return this.#ownEdits
  }

  get #path(): string {
    return `/flows/${encodeURIComponent(this.#slug)}`
  }

  async #save(steps: readonly FlowStep[], request: DraftRequest): Promise<number | undefined> {
    const path = `${this.#path}/draft`
    const { body, revision } = await this.#loads.api.revise<FlowAnswer>(path, { steps }, request)
    this.#acts?.forgetFaults()
    this.#loads.flow.set(body)
    return revision
  }

  get #flow(): FlowAnswer | undefined {
    const { value } = this.#loads.flow
    return value?.slug === this.#slug ? value : undefined
  }

  get #hasDraft(): boolean {
    const flow = this.#flow
    return flow !== undefined && (flow.draft !== null || this.#draft.phase !== 'saved')
  }

  /** Without a version in the address: the draft, 0, or else the live one. */
  get #shownVersion(): number {
    const usual = this.#hasDraft ? 0 : this.#flow?.version
    return Number(this.params.get('version')) || usual || 0
  }

  get #words() {
    return this.#loads.words()
  }

  get #zoom(): number {
    const asked = Number(this.params.get('zoom'))
    return ZOOMS.includes(asked) ? asked : 100
  }

  #zoomed(by: -1 | 1): string {
    const next = ZOOMS[ZOOMS.indexOf(this.#zoom) + by] ?? this.#zoom
    return this.address({ zoom: next === 100 ? null : String(next) })
  }

  protected override get windowTitle(): string {
    return `${this.#flow?.name ?? this.#slug} · ${this.t('flows.title')}`
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    super.willUpdate(changed)
    const flow = this.#flow
    if (flow === undefined || flow === this.#opened) return
    this.#opened = flow
    this.#draft.take(flow.slug, rowOf(flow))
  }

  protected override content(): TemplateResult {
    const flow = this.#flow
    return html`${this.#header(flow)}
      <div class="main">
        ${lockedStrip(this.#locked, this.t)}
        ${
          flow === undefined
            ? this.#noFlow()
            : html`${figures(this.#loads.counts.value?.totals, this)} ${this.#tabs()} ${this.#body(flow)} ${this.#edited(flow, (views, edited) => views.dialogView(edited))}`
        }
      </div>
      ${this.#draft.notice()}`
  }

  /** In the place of the flow: that it loads, why it could not be loaded, or that there is none. */
  #noFlow(): TemplateResult {
    const { value, failure } = this.#loads.flow
    if (failure !== undefined)
      return html`<p class="card panel-part">${this.#loads.api.words(failure)}</p>`
    if (value !== null && this.#slug !== '')
      return html`<div class="canvas waiting" aria-busy="true"></div>`
    return html`<div class="card"><keelson-empty heading=${this.t('flow.missing')} text=${this.t('flow.gone')}>
      <a class="btn" href=${mailHref(this, 'flows')}>${this.t('flow.toList')}</a>
    </keelson-empty></div>`
  }

  /** The first step in which something is missing, while there is something to publish. */
  get #locked() {
    const [first] = (this.#hasDraft && this.#acts?.unfinished) || []
    if (first === undefined) return undefined
    const { path, number, step, fault } = first
    const reason = this.t('flow.notReady', { number, step: this.t(`step.${step.type}`), fault })
    return { reason, href: this.address({ tab: null, step: path }) }
  }

  #header(flow: FlowAnswer | undefined): TemplateResult {
    const sim = this.params.get('sim')
    return flowHeader({
      words: this.#words,
      slug: this.#slug,
      flow,
      draft: this.#draft,
      hasDraft: this.#hasDraft,
      isSimulating: sim !== null,
      listHref: mailHref(this, 'flows'),
      simulateHref: this.address({ tab: null, sim: sim === null ? '-' : null, stop: null }),
      publishHref: this.address({ dialog: 'publish' }),
      locked: this.#locked,
      settingsHref: this.address({ dialog: 'settings' }),
      onToggle: () => flow && void this.#acts?.toggle(flow),
      onDuplicate: () => flow && void this.#acts?.duplicate(flow),
      onDelete: () => flow && void this.#acts?.remove(flow)
    })
  }

  /** Runs of all versions; undefined until they are counted. */
  get #entered(): number | undefined {
    const totals = this.#loads.counts.value?.totals
    return totals && runsOf(totals)
  }

  /** What the cards count: those of a draft count nothing. */
  get #counted(): FlowLoads['counts']['value'] {
    return this.#hasDraft || this.#entered === 0 ? undefined : this.#loads.counts.value
  }

  #tabs(): TemplateResult {
    const clear = {
      step: null,
      run: null,
      status: null,
      at: null,
      version: null,
      sim: null,
      stop: null
    }
    const counted = this.#counted?.version
    return html`<div class="row"><nav class="seg" aria-label=${this.t('flow.views')}>
      ${['', 'runs', 'versions'].map(
        (tab) => html`<a
          href=${this.address({ ...clear, tab: tab || null })}
          aria-current=${tab === this.#tab ? 'page' : nothing}
        >${this.t(`flow.tab.${tab || 'steps'}`)}</a>`
      )}
    </nav>
    ${this.#tab === '' && counted !== undefined ? html`<span class="dim">${this.t('flow.counted', { version: counted })}</span>${legend(this.t)}` : nothing}</div>`
  }

  #body(flow: FlowAnswer): TemplateResult {
    if (this.#tab === '') return this.#steps(flow)
    const views = this.#tabViews.value
    const acts = this.#acts
    if (views === undefined || acts === undefined)
      return html`<div class="canvas waiting" aria-busy="true"></div>`
    const tab = {
      page: this,
      flow,
      loads: this.#loads,
      acts,
      steps: this.#draft.steps ?? [],
      hasDraft: this.#hasDraft,
      shown: this.#shownVersion
    }
    return this.#tab === 'versions' ? views.versionsTab(tab) : views.runsTab(tab, this.#run)
  }

  #steps(flow: FlowAnswer): TemplateResult {
    const steps = this.#draft.steps ?? []
    const path = this.params.get('step')
    const step = path === null ? undefined : stepAt(steps, path)
    return html`<keelson-drawer
      ?open=${step !== undefined}
      width="340"
      label=${this.t('flow.stepForm')}
      @keelson-close=${() => this.#closePanel(path)}
    >
      <div slot="list">
        ${this.#canvas(flow, steps)} ${this.#strip()}
      </div>
      ${
        step === undefined || path === null
          ? nothing
          : this.#edited(flow, (views, edited) => views.panelView(edited, path, step))
      }
    </keelson-drawer>`
  }

  #closePanel(path: string | null): void {
    if (path === null || this.#edits === undefined) this.go({ step: null }, { replace: true })
    else this.#edits.close(path)
  }

  /** A view of editing, once it is loaded. */
  #edited<T>(flow: FlowAnswer, view: (views: EditViews, edited: Editing) => T): T | undefined {
    const views = this.#editing.value
    const acts = this.#acts
    const edits = this.#edits
    if (views === undefined || acts === undefined || edits === undefined) return undefined
    return view(views, {
      page: this,
      flow,
      loads: this.#loads,
      acts,
      edits,
      draft: this.#draft,
      hasDraft: this.#hasDraft,
      type: this._type,
      onType: (type) => {
        this._type = type
      }
    })
  }

  #canvas(flow: FlowAnswer, steps: readonly FlowStep[]): TemplateResult {
    const answer = this.params.has('sim') ? this.#loads.simulation.value : undefined
    const at = this.#stopAt(answer?.path.length ?? 0)
    const drawn = answer && this.#strips.value?.drawnOf(answer, { steps, at, words: this.#words })
    const counts = this.#counted
    const zoom = this.#zoom
    const { trigger } = editedOf(flow)
    const by = (step: -1 | 1, sign: string, label: string) =>
      html`<a class="btn icon quiet" href=${this.#zoomed(step)} aria-label=${this.t(label)} title=${this.t(label)}>${sign}</a>`
    return html`<div class="canvas zoom-${zoom}" role="group" aria-label=${this.t('flow.canvas')} ?data-editable=${this.#edits !== undefined} @keydown=${(event: KeyboardEvent) => this.#edits?.onKey(event)} @pointerdown=${(event: PointerEvent) => this.#edits?.onPointer(event)} @focusin=${(event: FocusEvent) => this.#edits?.onFocus(event)}>
        ${canvasView({
          lane: laneOf(steps),
          trigger: {
            ...triggerWords(trigger, this, this.#editing.value?.scheduleOf(trigger, this)),
            href: this.address({ dialog: 'settings' })
          },
          words: this.#words,
          active: this.#edits?.active ?? '0',
          selected: this.params.get('step'),
          isEditable: true,
          version: counts?.version ?? 0,
          counts: counts && new Map(counts.steps.map((one) => [one.path, one])),
          entered: enteredAt(steps, new Map(counts?.steps.map((one) => [one.path, runsOf(one)]))),
          faults: this.#acts?.faults ?? NO_FAULTS,
          walked: drawn?.walked,
          end: drawn?.end,
          stop: drawn?.stop,
          href: (path) => this.address({ step: path }),
          addHref: (path) => this.address({ add: path })
        })}
      </div>
      <div class="foot">
        <p class="keys" aria-hidden="true">
          ${['move', 'edit', 'add', 'reorder', 'remove', 'undo'].map((name) => html`<span><kbd>${this.t(`flow.keys.${name}`)}</kbd> ${this.t(`flow.does.${name}`)}</span>`)}
        </p>
        <div class="row zoom" role="group" aria-label=${this.t('flow.zoom')}>${by(-1, '−', 'flow.zoomOut')} <span class="dim">${this.format.percent(zoom / 100, 0)}</span> ${by(1, '+', 'flow.zoomIn')}</div>
      </div>`
  }

  #stopAt(count: number): number {
    const asked = Number(this.params.get('stop') ?? count - 1)
    return Math.max(0, Math.min(Number.isInteger(asked) ? asked : 0, count - 1))
  }

  #strip(): TemplateResult | typeof nothing | undefined {
    if (!this.params.has('sim')) return nothing
    return this.#strips.value?.stripOf(this, this.#loads, (count) => this.#stopAt(count))
  }
}

registerStepTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonDrawer, KeelsonEmpty)
definePage('mailer-flow', FlowPage)
