// The Sends page: every mail, filtered, and one with its history and its content.
import {
  controls,
  define,
  definePage,
  Filters,
  fieldFilters,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  KeelsonFilterChips,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonTable,
  ListLoad,
  Load,
  registerCatalog,
  Selection,
  type TableColumn,
  timeText
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { registerMomentTexts } from '../contact/moment-texts.ts'
import { contactStyles } from '../contact/styles.ts'
import { type SendLine, timeOfSend } from '../contact/timeline.ts'
import { emptyList, listTable, queryOf } from '../list-table.ts'
import { mailApi } from '../mail-api.ts'
import { MailFrame } from '../mail-frame.ts'
import { panelStyles } from '../panel-styles.ts'
import { statusTag } from '../status-tag.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { type RenderedSend, type SendDetail, sendPanel, type Verdict } from './panel.ts'
import texts from './texts.en.json' with { type: 'json' }

const STATUSES = ['queued', 'deferred', 'held', 'sent', 'delivered', 'opened', 'clicked', 'bounced']
const MORE = ['complained', 'failed', 'unknown', 'suppressed', 'cancelled', 'holdout']

class SendsPage extends KeelsonPage {
  static override readonly styles = [controls, contactStyles, pageStyles, panelStyles]
  readonly #api = mailApi(this)
  readonly #filters = new Filters(this, {
    codec: fieldFilters(['status', 'kind', 'template', 'email']),
    closes: { send: null, show: null }
  })
  readonly #selection = new Selection<SendLine>(this, {
    param: 'send',
    idOf: ({ _id }) => _id,
    also: () => ({ show: null }),
    closes: { show: null }
  })
  readonly #list = new ListLoad(this, {
    args: () => [this.#filters.params.toString()] as const,
    idOf: ({ _id }: SendLine) => _id,
    page: ([filters], { cursor }, signal) =>
      this.#api.list<SendLine>(
        `/sends?${queryOf({ limit: '50', ...Object.fromEntries(new URLSearchParams(filters)), cursor })}`,
        signal
      )
  })
  readonly #one = new Load(this, {
    args: () => (this.#selection.id === null ? null : ([this.#selection.id] as const)),
    run: ([id], signal) => this.#api.find<SendDetail>(`/sends/${encodeURIComponent(id)}`, signal)
  })
  readonly #mail = new Load(this, {
    quiet: true,
    args: () => {
      const { id } = this.#selection
      return this.params.has('show') && id !== null ? ([id] as const) : null
    },
    run: async ([id], signal) => {
      const path = `/sends/${encodeURIComponent(id)}/rendered`
      return { id, ...(await this.#api.read<RenderedSend>(path, signal)) }
    }
  })

  /** The open mail, once it is the one that the address names. */
  get #open(): SendDetail | undefined {
    const { value } = this.#one
    return value?.send._id === this.#selection.id ? value : undefined
  }

  protected override get windowTitle(): string {
    return this.t('sends.title')
  }

  async #resend({ _id, emailAtSend, externalId }: SendLine): Promise<void> {
    const isSure = await this.confirm({
      heading: this.t('sends.resendHeading', { email: emailAtSend ?? externalId }),
      text: this.t('sends.resendText'),
      action: this.t('sends.resend')
    })
    if (!isSure) return
    await this.#api.attempt(async () => {
      const path = `/sends/${encodeURIComponent(_id)}/resend`
      const { sendId } = await this.#api.act<{ readonly sendId: string }>('POST', path, {})
      const run = () => this.go({ send: sendId, show: null })
      this.toast({ text: this.t('sends.resent'), action: { label: this.t('sends.open'), run } })
      await this.#list.reload()
    })
  }

  async #resolve(send: SendLine, verdict: Verdict): Promise<void> {
    const email = send.emailAtSend ?? send.externalId
    const isSure =
      verdict !== 'resend' ||
      (await this.confirm({
        heading: this.t('sends.resolveHeading'),
        text: this.t('sends.resolveText', { email }),
        action: this.t('sends.resolve.resend'),
        tone: 'bad'
      }))
    if (!isSure) return
    await this.#api.attempt(async () => {
      const path = `/sends/${encodeURIComponent(send._id)}/resolve`
      const { status } = await this.#api.act<{ readonly status: string }>('POST', path, { verdict })
      this.toast({
        text: this.t('sends.resolved', { status: this.t(`mail.status.${status}`) }),
        tone: 'good'
      })
      await Promise.all([this.#list.reload(), this.#one.reload()])
    })
  }

  protected override content(): TemplateResult {
    const selection = this.#selection
    const templates = [...new Set(this.#list.rows.map(({ templateSlug }) => templateSlug))]
    return html`<keelson-page-header heading=${this.t('sends.title')}></keelson-page-header>
      <div class="main">
        ${this.#filters.chips([
          {
            id: 'status',
            label: this.t('sends.status'),
            values: [...STATUSES, ...MORE],
            free: false
          },
          {
            id: 'kind',
            label: this.t('sends.kind'),
            values: ['marketing', 'transactional'],
            free: false
          },
          { id: 'template', label: this.t('sends.template'), values: templates },
          { id: 'email', label: this.t('sends.email') }
        ])}
        <keelson-drawer
          ?open=${selection.id !== null}
          width="480"
          label=${this.t('sends.label')}
          @keelson-close=${selection.close}
        >
          ${listTable({
            slot: 'list',
            heading: this.t('sends.title'),
            note: this.t('sends.note'),
            columns: this.#columns(),
            list: this.#list,
            idOf: ({ _id }) => _id,
            selection,
            empty: emptyList(this, 'sends', this.#filters)
          })}
          ${selection.id === null ? nothing : this.#panel()}
        </keelson-drawer>
      </div>`
  }

  #panel(): TemplateResult {
    const answer = this.#open
    if (answer === undefined) {
      const { value, failure } = this.#one
      if (failure !== undefined) return html`<p class="panel-part">${this.#api.words(failure)}</p>`
      return value === null
        ? html`<keelson-empty heading=${this.t('sends.missing')} text=${this.t('sends.missingText')}></keelson-empty>`
        : html`<p class="panel-part" aria-busy="true"><span class="bone"></span></p>`
    }
    return sendPanel({
      answer,
      t: this.t,
      format: this.format,
      mail: this.params.has('show') ? this.#content(answer.send) : undefined,
      onShow: () => this.go({ show: 'mail' }, { replace: true }),
      onResend: () => void this.#resend(answer.send),
      onResolve: (verdict) => void this.#resolve(answer.send, verdict)
    })
  }

  /** The mail in a frame without scripts. */
  #content(send: SendLine): TemplateResult {
    const { value, failure } = this.#mail
    if (value?.id === send._id && value.html === null)
      return html`<pre class="text">${value.text}</pre>`
    if (value?.id === send._id)
      return html`<p class="dim">${this.t('sends.contentNote')}</p>
        <mailer-mail-frame class="mail" .mail=${value.html ?? ''} label=${this.t('sends.content')}></mailer-mail-frame>`
    if (failure === undefined) return html`<p aria-busy="true"><span class="bone"></span></p>`
    return html`<p class="problem">${this.t('sends.noContent', { problem: this.#api.words(failure) })}</p>`
  }

  #columns(): TableColumn<SendLine>[] {
    const now = Date.now()
    return [
      {
        id: 'to',
        header: this.t('sends.to'),
        grow: 2,
        link: true,
        cell: ({ emailAtSend, externalId }) => emailAtSend ?? externalId,
        hint: ({ externalId }) => externalId
      },
      {
        id: 'status',
        header: this.t('sends.status'),
        width: 124,
        cell: ({ status }) => statusTag(status, this.t)
      },
      {
        id: 'subject',
        header: this.t('sends.subject'),
        grow: 2,
        hideBelow: 640,
        cell: ({ subject, templateSlug }) =>
          subject ?? html`<span class="dim">${templateSlug}</span>`,
        hint: ({ subject }) => subject
      },
      {
        id: 'template',
        header: this.t('sends.template'),
        hideBelow: 820,
        quiet: true,
        cell: ({ templateSlug }) => templateSlug || '–',
        hint: ({ templateSlug }) => templateSlug
      },
      {
        id: 'time',
        header: this.t('sends.time'),
        width: 116,
        quiet: true,
        hideBelow: 420,
        cell: (send) => timeText(timeOfSend(send), now, this.format),
        hint: (send) => this.format.dateTime(timeOfSend(send))
      }
    ]
  }
}

registerTexts()
registerMomentTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(
  KeelsonPageHeader,
  KeelsonFilterChips,
  KeelsonTable,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonError,
  MailFrame
)
definePage('mailer-sends', SendsPage)
