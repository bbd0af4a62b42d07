// The Flows page: every flow with its state, and a form for a new one.
import {
  controls,
  define,
  definePage,
  KeelsonDialog,
  KeelsonEmpty,
  KeelsonError,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonTable,
  ListLoad,
  Load,
  registerCatalog,
  Shortcuts,
  type TableColumn,
  timeText
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { FlowTrigger } from '../../ledger/flow-rows.ts'
import { oneHref } from '../addresses.ts'
import { type EventsAnswer, type FlowLine, STATE_TONES, stateOf } from '../flow/answers.ts'
import { registerEditTexts } from '../flow/edit-texts.ts'
import type { FieldChoices } from '../flow/field-view.ts'
import { EMPTY_FLOW, flowBody, flowDialog } from '../flow/flow-form.ts'
import { registerStepTexts } from '../flow/step-texts.ts'
import { triggerWords } from '../flow/trigger-words.ts'
import { listTable } from '../list-table.ts'
import { mailApi } from '../mail-api.ts'
import { panelStyles } from '../panel-styles.ts'
import { pageStyles } from '../styles.ts'
import texts from './texts.en.json' with { type: 'json' }

const STATES = ['live', 'paused', 'new'] as const

class FlowsPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles, panelStyles]
  static override readonly properties = {
    ...KeelsonPage.properties,
    _type: { state: true },
    _problem: { state: true },
    _isSending: { state: true }
  }
  declare _type: FlowTrigger['type']
  declare _problem: string
  declare _isSending: boolean
  readonly #api = mailApi(this)
  readonly #list = new ListLoad(this, {
    args: () => [this.params.get('state') ?? ''] as const,
    idOf: ({ slug }: FlowLine) => slug,
    page: async ([state], _after, signal) => {
      const flows = await this.#api.read<readonly FlowLine[]>('/flows', signal)
      const items = state === '' ? flows : flows.filter((flow) => stateOf(flow) === state)
      return { items, nextCursor: null }
    }
  })
  readonly #choices = new Load(this, {
    quiet: true,
    args: () => (this.#isNew ? ([] as const) : null),
    run: async (_args, signal): Promise<FieldChoices> => {
      const { registered, seen } = await this.#api.read<EventsAnswer>('/events', signal)
      return { templates: [], events: [...registered.map(({ name }) => name), ...seen] }
    }
  })

  constructor() {
    super()
    this._type = 'event'
    this._problem = ''
    this._isSending = false
    new Shortcuts(this, () => [
      { keys: 'n', label: this.t('flows.new'), run: () => this.go({ dialog: 'new' }) }
    ])
  }

  protected override get windowTitle(): string {
    return this.t('flows.title')
  }

  get #isNew(): boolean {
    return this.params.get('dialog') === 'new'
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has('route') || !this.#isNew) return
    const field = this.renderRoot.querySelector<HTMLElement>('#form input')
    requestAnimationFrame(() => field?.focus())
  }

  readonly #close = (): void => {
    this._problem = ''
    this.go({ dialog: null }, { replace: true })
  }

  async #create(data: FormData): Promise<void> {
    if (this._isSending) return
    this._isSending = true
    this._problem = ''
    try {
      const flow = await this.#api.act<Pick<FlowLine, 'slug'>>(
        'POST',
        '/flows',
        flowBody(data, true)
      )
      this.page.navigate(oneHref('flow', flow.slug))
    } catch (error) {
      this._problem = this.#api.words(error)
    } finally {
      this._isSending = false
    }
  }

  protected override content(): TemplateResult {
    const state = this.params.get('state') ?? ''
    return html`<keelson-page-header heading=${this.t('flows.title')}>
        <select
          class="field pick"
          aria-label=${this.t('flows.state')}
          @change=${(event: Event) => this.go({ state: (event.target as HTMLSelectElement).value })}
        >
          ${['', ...STATES].map((one) => html`<option value=${one} ?selected=${one === state}>${this.t(one === '' ? 'flows.all' : `flow.filter.${one}`)}</option>`)}
        </select>
        <a class="btn primary" href=${this.address({ dialog: 'new' })}>${this.t('flows.new')}</a>
      </keelson-page-header>
      <div class="main">
        ${listTable({
          heading: this.t('flows.title'),
          columns: this.#columns(),
          list: this.#list,
          idOf: ({ slug }) => slug,
          href: ({ slug }) => oneHref('flow', slug),
          empty: this.#empty(state)
        })}
      </div>
      ${this.#isNew ? this.#dialog() : nothing}`
  }

  #dialog(): TemplateResult {
    return flowDialog({
      t: this.t,
      fields: EMPTY_FLOW,
      choices: this.#choices.value ?? { templates: [], events: [] },
      problem: this._problem,
      isSending: this._isSending,
      type: this._type,
      onType: (type) => {
        this._type = type
      },
      onSubmit: (data) => void this.#create(data),
      onClose: this.#close
    })
  }

  #empty(state: string): TemplateResult {
    if (state !== '')
      return html`<keelson-empty slot="empty" heading=${this.t('flows.noneLeft')}>
        <a class="btn" href=${this.address({ state: null })}>${this.t('flows.clear')}</a>
      </keelson-empty>`
    return html`<keelson-empty slot="empty" heading=${this.t('flows.none')} text=${this.t('flows.noneText')}>
      <a class="btn primary" href=${this.address({ dialog: 'new' })}>${this.t('flows.new')}</a>
    </keelson-empty>`
  }

  #columns(): TableColumn<FlowLine>[] {
    const now = Date.now()
    return [
      {
        id: 'name',
        header: this.t('flows.name'),
        grow: 2,
        link: true,
        cell: ({ name }) => name,
        hint: ({ slug }) => slug
      },
      {
        id: 'state',
        header: this.t('flows.state'),
        width: 170,
        cell: (flow) => {
          const state = stateOf(flow)
          return html`<span class="tag ${STATE_TONES[state]}">${this.t(`flow.state.${state}`, { version: flow.version })}</span>
            ${!flow.hasDraft || flow.version === 0 ? nothing : html`<span class="tag warn">${this.t('flow.draft')}</span>`}`
        }
      },
      {
        id: 'trigger',
        header: this.t('flows.trigger'),
        hideBelow: 620,
        mono: true,
        cell: ({ trigger }) => triggerWords(trigger, this.t).title,
        hint: ({ trigger }) => triggerWords(trigger, this.t).note
      },
      {
        id: 'steps',
        header: this.t('flows.steps'),
        width: 72,
        align: 'end',
        hideBelow: 520,
        cell: ({ stepCount }) => this.format.number(stepCount)
      },
      {
        id: 'updated',
        header: this.t('flows.updated'),
        width: 130,
        quiet: true,
        hideBelow: 420,
        cell: ({ updatedAt }) => timeText(updatedAt, now, this.format),
        hint: ({ updatedAt }) => this.format.dateTime(updatedAt)
      }
    ]
  }
}

registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
registerStepTexts()
registerEditTexts()
define(KeelsonPageHeader, KeelsonTable, KeelsonDialog, KeelsonEmpty, KeelsonError)
definePage('mailer-flows', FlowsPage)
