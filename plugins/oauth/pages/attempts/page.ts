// The Diagnostics page: the authorization attempts of a client, step by step.
import {
  controls,
  define,
  definePage,
  icon,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonStat,
  KeelsonTable,
  Load,
  registerCatalog,
  Selection,
  Shortcuts,
  type TableColumn
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { AttemptsAnswer } from '../../operations/answers.ts'
import { Admin } from '../admin.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import {
  type Attempt,
  type AttemptStep,
  countEndings,
  type Ending,
  meaningOf,
  outcomeOf
} from './ending.ts'
import { attemptStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }

/** In the address: requests that name no known client. No client id starts like this. */
const UNKNOWN = '-'
const ENDINGS: readonly Ending[] = ['done', 'refused', 'left', 'open']
const TONES = { done: 'good', refused: 'bad', left: 'warn', open: 'info' } as const
const ICONS = { passed: 'check', refused: 'close', waiting: 'chevron-right' } as const

class AttemptsPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles, attemptStyles]
  readonly #admin: Admin = new Admin(this, { refresh: () => this.#refresh() })
  readonly #selection = new Selection<Attempt>(this, { param: 'attempt' })
  readonly #attempts = new Load(this, {
    args: () => (this.#client === undefined ? null : ([this.#client] as const)),
    run: async ([client], signal) => {
      const query = client === UNKNOWN ? '' : `?${new URLSearchParams({ clientId: client })}`
      const { items } = await this.#admin.api.read<AttemptsAnswer>(
        `/admin/attempts${query}`,
        signal
      )
      return { client, items }
    }
  })

  constructor() {
    super()
    new Shortcuts(this, () => [
      { keys: 'r', label: this.t('ui.refresh'), run: () => this.#refresh() }
    ])
  }

  protected override get windowTitle(): string {
    return this.t('attempts.title')
  }

  #refresh(): void {
    void this.#admin.clients.reload()
    if (this.#client !== undefined) void this.#attempts.reload()
  }

  /** The client that is looked at: the named one, else the newest. */
  get #client(): string | undefined {
    const named = this.params.get('client')
    if (named !== null && named !== '') return named
    const items = this.#admin.clients.value?.items
    return items === undefined ? undefined : (items[0]?.clientId ?? UNKNOWN)
  }

  /** The attempts, when they are of the client that is looked at. */
  get #rows(): readonly Attempt[] | undefined {
    const { value } = this.#attempts
    return value?.client === this.#client ? value?.items : undefined
  }

  /** Why there are no attempts: their own read, or that of the clients, one of which they are of. */
  get #failure(): unknown {
    if (this.#attempts.failure !== undefined) return this.#attempts.failure
    return this.#client === undefined ? this.#admin.clients.failure : undefined
  }

  protected override content(): TemplateResult {
    const unknown = [UNKNOWN, this.t('attempts.unknown')] as const
    return html`<keelson-page-header heading=${this.t('attempts.title')}>
        ${this.#admin.clientChoice(this.#client ?? UNKNOWN, unknown)} ${this.#admin.refreshButton()}
      </keelson-page-header>
      <div class="main">${this.#tiles()} ${this.#list()}</div>`
  }

  #tiles(): TemplateResult {
    const rows = this.#rows
    const counts = countEndings(rows ?? [], Date.now())
    return html`<div class="tiles">
      ${ENDINGS.map(
        (ending) => html`<keelson-stat
          label=${this.t(`ending.${ending}`)}
          value=${this.format.number(counts[ending])}
          against=${this.t(`ending.${ending}Text`)}
          .error=${rows === undefined ? this.#failure : undefined}
          ?loading=${rows === undefined && this.#failure === undefined}
        ></keelson-stat>`
      )}
    </div>`
  }

  #list(): TemplateResult {
    const rows = this.#rows
    const failure = this.#failure
    const selection = this.#selection
    const open = rows?.find(({ id }) => id === selection.id)
    const time = open === undefined ? '' : this.format.dateTime(open.startedAt)
    return html`<keelson-drawer
      ?open=${selection.id !== null && rows !== undefined}
      label=${this.t('attempts.label', { time })}
      @keelson-close=${selection.close}
    >
      <keelson-table
        slot="list"
        keys
        heading=${this.t('attempts.heading')}
        note=${this.t('attempts.note')}
        .columns=${this.#columns()}
        .rows=${rows ?? []}
        .rowHref=${selection.href}
        .selected=${open?.id ?? null}
        .loading=${failure === undefined && (rows === undefined || this.#attempts.isPending)}
        .error=${failure}
        @keelson-retry=${() => this.#refresh()}
        @keelson-open=${selection.onOpen}
        @keelson-move=${selection.onMove}
      >
        ${this.#empty()}
      </keelson-table>
      ${selection.id === null ? nothing : this.#panel(open)}
    </keelson-drawer>`
  }

  #columns(): TableColumn<Attempt>[] {
    const now = Date.now()
    return [
      {
        id: 'started',
        header: this.t('attempts.started'),
        width: 116,
        quiet: true,
        cell: ({ startedAt }) => this.#admin.moment(startedAt),
        hint: ({ startedAt }) => this.format.dateTime(startedAt)
      },
      {
        id: 'ending',
        header: this.t('attempts.ending'),
        width: 104,
        cell: (attempt) => this.#endingTag(outcomeOf(attempt, now).ending)
      },
      {
        id: 'last',
        header: this.t('attempts.last'),
        width: 96,
        hideBelow: 520,
        cell: (attempt) => this.#stepName(outcomeOf(attempt, now).last)
      },
      {
        id: 'detail',
        header: this.t('attempts.detail'),
        cell: (attempt) => outcomeOf(attempt, now).last?.detail ?? '–',
        hint: (attempt) => outcomeOf(attempt, now).last?.detail
      }
    ]
  }

  #endingTag(ending: Ending): TemplateResult {
    return html`<span class="tag ${TONES[ending]}">${this.t(`ending.${ending}`)}</span>`
  }

  #stepName(step: AttemptStep | undefined): string {
    return step === undefined ? '–' : this.t(`step.${step.step}`)
  }

  #empty(): TemplateResult {
    const isUnknown = this.#client === UNKNOWN
    if (isUnknown && this.#admin.clients.value?.items.length === 0) {
      return html`<keelson-empty
        slot="empty"
        heading=${this.t('attempts.noClients')}
        text=${this.t('attempts.noClientsText')}
      >
        <a class="btn" href=${this.#admin.href('clients')}>${this.t('attempts.toClients')}</a>
      </keelson-empty>`
    }
    return html`<keelson-empty
      slot="empty"
      heading=${this.t('attempts.none')}
      text=${this.t(isUnknown ? 'attempts.noneUnknown' : 'attempts.noneText')}
    ></keelson-empty>`
  }

  #panel(attempt: Attempt | undefined): TemplateResult {
    if (attempt === undefined) {
      return html`<keelson-empty heading=${this.t('attempts.missing')}></keelson-empty>`
    }
    const outcome = outcomeOf(attempt, Date.now())
    const meaning = meaningOf(outcome)
    return html`<div slot="header" class="panel-head">
        <h2>${this.t('attempts.label', { time: this.format.dateTime(attempt.startedAt) })}</h2>
        <p>${this.#endingTag(outcome.ending)}</p>
      </div>
      ${this.#who(attempt)} ${this.#unknown(attempt)}
      <section class="panel-part">
        <h3>${this.t('attempts.steps')}</h3>
        ${
          attempt.steps.length === 0
            ? html`<p class="dim">${this.t('attempts.noSteps')}</p>`
            : html`<ol class="step-list">${attempt.steps.map((step) => this.#step(step))}</ol>`
        }
      </section>
      ${
        meaning === undefined
          ? nothing
          : html`<section class="panel-part">
            <h3>${this.t('attempts.meaning')}</h3>
            <p>${this.t(meaning)}</p>
          </section>`
      }`
  }

  /** The person and the address of an attempt, where they are known. */
  #who({ userId, ip }: Attempt): TemplateResult | typeof nothing {
    if (userId === undefined && ip === undefined) return nothing
    const person =
      userId === undefined
        ? html`<span class="dim">${this.t('attempts.signedOut')}</span>`
        : html`<a class="link" href=${this.#admin.href('grants', { user: userId })}>${userId}</a>`
    return html`<section class="panel-part">
      <dl class="facts">
        <dt>${this.t('attempts.person')}</dt>
        <dd>${person}</dd>
        <dt>${this.t('attempts.address')}</dt>
        <dd>${ip ?? '–'}</dd>
      </dl>
    </section>`
  }

  /** Which client was unknown, and what would let it in. */
  #unknown({ sentId, refusedHost }: Attempt): TemplateResult | typeof nothing {
    if (sentId === undefined || sentId === '') return nothing
    return html`<section class="panel-part">
      <dl class="facts">
        <dt>${this.t('attempts.sentId')}</dt>
        <dd class="mono">${sentId}</dd>
      </dl>
      ${
        refusedHost === undefined
          ? nothing
          : html`<button class="btn" @click=${() => void this.#allow(refusedHost)}>
            ${this.t('attempts.allow', { host: refusedHost })}
          </button>`
      }
    </section>`
  }

  async #allow(host: string): Promise<void> {
    const isSure = await this.confirm({
      heading: this.t('attempts.allowHeading', { host }),
      text: this.t('attempts.allowText'),
      action: this.t('attempts.allowAction')
    })
    if (!isSure) return
    const { api } = this.#admin
    await api.attempt(async () => {
      await api.act('POST', '/admin/metadata-hosts', { host })
      this.toast({ text: this.t('attempts.allowed', { host }), tone: 'good' })
    })
  }

  #step(step: AttemptStep): TemplateResult {
    const { at, outcome, detail } = step
    return html`<li class="step">
      <span class=${outcome}>${icon(ICONS[outcome], 16)}</span>
      <b>${this.#stepName(step)} <span class="dim">${this.t(`outcome.${outcome}`)}</span></b>
      <time datetime=${at}>${this.format.time(at)}</time>
      <p>${detail}</p>
    </li>`
  }
}

registerTexts()
registerCatalog('en', texts)
define(KeelsonPageHeader, KeelsonStat, KeelsonTable, KeelsonDrawer, KeelsonEmpty, KeelsonError)
definePage('oauth-attempts', AttemptsPage)
