// The Broadcast page: compose, count, schedule behind a typed number, watch, pause, read the results.

import { momentAt } from '@keelson/sdk/zoned-time'
import {
  controls,
  Draft,
  define,
  definePage,
  KeelsonDialog,
  KeelsonEmpty,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonTable,
  ListLoad,
  Load,
  RequestError,
  registerCatalog,
  Sending
} from '@keelson/ui'
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit'
import { mailHref, slugOf } from '../addresses.ts'
import { bonesOr } from '../bones.ts'
import {
  type Broadcast,
  type BroadcastDetail,
  type BroadcastResults,
  type Recipient,
  type RecipientCount,
  STATUS_TONES
} from '../broadcasts/answers.ts'
import { registerBroadcastsTexts } from '../broadcasts/texts.ts'
import { registerLeftOutWords } from '../left-out/words.ts'
import { mailApi } from '../mail-api.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { compose, type TemplateChoice } from './compose.ts'
import { type Gate, resumeGate, retryGate, scheduleGate } from './gate.ts'
import { leftOutList } from './left-out.ts'
import { resultsView } from './results.ts'
import { filtersOf, isComplete } from './segment.ts'
import { broadcastStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }
import type { Words } from './words.ts'

const POLL_MS = 4000
const SIZE = 50
/** States in which something may still happen. */
const ACTIVE = ['scheduled', 'sending', 'paused']

class BroadcastPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles, broadcastStyles]
  readonly #api = mailApi(this)
  readonly #sending = new Sending(this, this.#api.words)
  readonly #draft: Draft<Broadcast> = new Draft<Broadcast>(this, {
    save: async (changes, request) => {
      const { body, revision } = await this.#api.revise<Broadcast>(this.#path(), changes, request)
      return { fields: body, revision }
    },
    read: async () => {
      const row = await this.#api.read<BroadcastDetail>(this.#path())
      this.#row.set(row)
      return { fields: row, revision: row.revision }
    },
    words: this.#api.words
  })
  #typed = ''
  #hasChanged = false
  #isLater = false
  #nextCap = ''
  #poll: ReturnType<typeof setTimeout> | undefined

  readonly #row = new Load(this, {
    args: () => (this.#slug === '' ? null : ([this.#slug] as const)),
    run: async (_args, signal) => {
      const row = await this.#api.find<BroadcastDetail>(this.#path(), signal)
      if (row !== null) this.#draft.take(row.slug, { fields: row, revision: row.revision })
      return row
    }
  })
  readonly #templates = new Load(this, {
    quiet: true,
    args: () => (this.#isDraft ? ([] as const) : null),
    run: async (_args, signal) => {
      const all = await this.#api.read<readonly TemplateChoice[]>('/templates', signal)
      return all.filter(({ kind }) => kind === 'marketing')
    }
  })
  readonly #count = new Load(this, {
    quiet: true,
    args: () => {
      const asked = this.#countBody()
      return asked === undefined ? null : ([this.#slug, JSON.stringify(asked)] as const)
    },
    run: ([, asked]) =>
      this.#api.act<RecipientCount>('POST', this.#path('/segment/count'), JSON.parse(asked))
  })
  readonly #results = new Load(this, {
    quiet: true,
    args: () => (this.#isStarted ? ([this.#slug, this.#row.value] as const) : null),
    run: (_args, signal) => this.#api.read<BroadcastResults>(this.#path('/results'), signal)
  })
  readonly #recipients = new ListLoad(this, {
    args: () =>
      this.#isStarted ? ([this.#slug, this.#status, this.#row.value?.status] as const) : null,
    idOf: ({ _id }: Recipient) => _id,
    page: ([, status], { cursor }, signal) => {
      const query = new URLSearchParams({ limit: String(SIZE) })
      if (status !== '') query.set('status', status)
      if (cursor) query.set('cursor', cursor)
      return this.#api.list<Recipient>(this.#path(`/recipients?${query}`), signal)
    }
  })

  readonly #leftOut = leftOutList(this, this.#api, () =>
    this.#isStarted ? this.#path() : undefined
  )

  get #slug(): string {
    return slugOf(this.sub)
  }

  get #status(): string {
    return this.params.get('status') ?? ''
  }

  get #show(): string {
    return this.params.get('show') ?? ''
  }

  get #isDraft(): boolean {
    return this.#row?.value?.status === 'draft'
  }

  get #isStarted(): boolean {
    const status = this.#row.value?.status
    return status !== undefined && status !== 'draft'
  }

  #path(rest = ''): string {
    return `/broadcasts/${encodeURIComponent(this.#slug)}${rest}`
  }

  /** What is counted: the audience of a draft as it is edited, or the next wave of a paused broadcast. */
  #countBody(): object | undefined {
    const edited = this.#draft.fields
    if (this.#row.value?.status === 'paused' && this.#show === 'resume')
      return this.#capOfNext === undefined ? {} : { recipientCap: this.#capOfNext }
    if (!this.#isDraft || edited === undefined) return undefined
    const { segmentDefinition, recipientCap = null } = edited
    if (!isComplete(filtersOf(segmentDefinition))) return undefined
    return { segmentDefinition, recipientCap }
  }

  /** The cap of the next wave: null for none; undefined where there was none before. */
  get #capOfNext(): number | null | undefined {
    if (this.#row.value?.recipientCap == null) return undefined
    return this.#nextCap === '' ? null : Number(this.#nextCap)
  }

  protected override get windowTitle(): string {
    return this.#draft.fields?.name ?? this.t('broadcast.list')
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    clearTimeout(this.#poll)
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed)
    clearTimeout(this.#poll)
    if (!ACTIVE.includes(this.#row.value?.status ?? '')) return
    this.#poll = setTimeout(() => void this.#row.reload(), POLL_MS)
  }

  protected override content(): TemplateResult {
    const { t, format } = this
    const row = this.#row.value
    if (this.#slug === '' || row === null) return this.#notFound()
    const { linkTo } = this
    const words: Words = { t, format, linkTo, address: (changes) => this.address(changes) }
    return html`${this.#header(row)}
      <div class="main">
        ${row === undefined ? this.#waiting() : this.#body(row, words)}
      </div>
      ${row === undefined ? nothing : this.#dialog(words)} ${this.#draft.notice()}`
  }

  #waiting(): TemplateResult {
    const { failure } = this.#row
    const problem = failure === undefined ? '' : this.#api.words(failure)
    return html`<div class="card" aria-busy=${problem === ''}>${bonesOr(problem, 8)}</div>`
  }

  #notFound(): TemplateResult {
    const { t } = this
    return html`<keelson-page-header heading=${t('broadcast.notFound')}></keelson-page-header>
      <div class="main">
        <keelson-empty heading=${t('broadcast.notFound')} text=${t('broadcast.notFoundText')}>
          <a class="btn" href=${mailHref(this, 'broadcasts')}>${t('broadcast.list')}</a>
        </keelson-empty>
      </div>`
  }

  #body(row: BroadcastDetail, words: Words): TemplateResult {
    if (row.status !== 'draft')
      return resultsView({
        words,
        broadcast: row,
        results: this.#results.value,
        status: this.#status,
        recipients: this.#recipients as ListLoad<readonly unknown[], Recipient>,
        leftOut: this.#leftOut,
        isLeftOut: this.params.has('leftOut')
      })
    const { failure } = this.#count
    return compose({
      words,
      broadcast: this.#draft.fields ?? row,
      count: this.#count,
      templates: this.#templates.value ?? [],
      problem: failure === undefined ? '' : this.#api.words(failure),
      // A field that is taken away is null in a change, and missing in a broadcast.
      onChange: (fields, isHeld = false) =>
        this.#draft.change(fields as Partial<Broadcast>, { isHeld })
    })
  }

  #header(row: BroadcastDetail | undefined): TemplateResult {
    const { t } = this
    return html`<keelson-page-header heading=${this.#draft.fields?.name ?? this.#slug}>
      <a slot="tags" class="link" href=${mailHref(this, 'broadcasts')}>${t('broadcast.list')}</a>
      ${
        row === undefined
          ? nothing
          : html`<span slot="tags" class="tag ${STATUS_TONES[row.status]}">${t(`broadcast.status.${row.status}`)}</span>
            ${row.status === 'draft' ? this.#draft.status() : nothing}
            ${this.#actions(row)}`
      }
    </keelson-page-header>`
  }

  #actions({ status, name }: BroadcastDetail): TemplateResult {
    const { t } = this
    if (status === 'draft')
      return html`<button class="btn quiet" @click=${() => void this.#delete(name)}>${t('broadcast.delete')}</button>
        <a class="btn primary" role="button" href=${this.address({ show: 'schedule' })}>${t('broadcast.schedule')}</a>`
    if (!ACTIVE.includes(status)) return html``
    return html`<button class="btn quiet" @click=${() => void this.#cancel(name)}>${t('broadcast.cancel')}</button>
      ${
        status === 'paused'
          ? html`<a class="btn primary" role="button" href=${this.address({ show: 'resume' })}>${t('broadcast.resume')}</a>`
          : html`<button class="btn primary" @click=${() => void this.#change('/pause', 'broadcast.paused')}>${t('broadcast.pause')}</button>`
      }`
  }

  #dialog(words: Words): TemplateResult | typeof nothing {
    const broadcast = this.#draft.fields
    const status = this.#row.value?.status
    if (broadcast === undefined) return nothing
    const counted = this.#count.isPending ? undefined : this.#count.value
    const isResume = this.#show === 'resume' && status === 'paused'
    const held = isResume ? (counted?.heldSends ?? 0) : 0
    const redraw = () => this.requestUpdate()
    const gate: Gate = {
      words,
      sending: this.#sending,
      broadcast,
      typed: this.#typed,
      expected: counted === undefined ? undefined : counted.recipientCount + held,
      hasChanged: this.#hasChanged,
      isLater: this.#isLater,
      onTyped: (text) => {
        this.#typed = text
        redraw()
      },
      onLater: (isLater) => {
        this.#isLater = isLater
        redraw()
      },
      onCap: (text) => {
        this.#nextCap = text
        redraw()
      },
      onClose: () => this.#close(),
      onSchedule: (at) => void this.#schedule(at),
      onResume: () => void this.#resume(),
      onRetry: () => void this.#retry()
    }
    const { retryable = 0 } = this.#row.value ?? {}
    if (this.#show === 'retry') return retryGate({ ...gate, expected: retryable })
    if (isResume) return resumeGate(gate)
    return this.#show === 'schedule' && status === 'draft' ? scheduleGate(gate) : nothing
  }

  #close(): void {
    this.#typed = ''
    this.#hasChanged = false
    this.#sending.clear()
    this.go({ show: null }, { replace: true })
  }

  /** Schedules for now, or for what clocks of the page's time zone show. */
  async #schedule(at: string | undefined): Promise<void> {
    const now = Date.now()
    const time = at === undefined ? now : momentAt(Date.parse(`${at}Z`), this.format.timeZone)
    if (!(time >= now)) return this.#sending.refuse(this.t('broadcast.notLater'))
    if (!(await this.#draft.flush())) return this.#sending.refuse(this.#draft.reason)
    const scheduledAt = new Date(time).toISOString()
    const confirmedCount = Number(this.#typed)
    await this.#confirmed('/schedule', { scheduledAt, confirmedCount }, 'broadcast.scheduled')
  }

  async #resume(): Promise<void> {
    const cap = this.#capOfNext
    const body = {
      confirmedCount: Number(this.#typed),
      ...(cap !== undefined && { recipientCap: cap })
    }
    await this.#confirmed('/resume', body, 'broadcast.resumed')
  }

  async #retry(): Promise<void> {
    const confirmedCount = Number(this.#typed)
    await this.#confirmed('/retry', { confirmedCount }, 'broadcast.retried')
  }

  /** Sends what a typed number confirms; another number now is counted and typed again. */
  async #confirmed(path: string, body: object, words: string): Promise<void> {
    const done = await this.#sending.send(async () => {
      try {
        return await this.#api.act<object>('POST', this.#path(path), body)
      } catch (error) {
        if (!(error instanceof RequestError) || error.code !== 'count_mismatch') throw error
        this.#hasChanged = true
        return undefined
      }
    })
    if (done === undefined) return void (this.#show === 'retry' ? this.#row : this.#count).reload()
    this.#close()
    this.toast({ text: this.t(words), tone: 'good' })
    await this.#row.reload()
  }

  async #change(path: string, words: string): Promise<void> {
    const { act, attempt } = this.#api
    if (!(await attempt(() => act('POST', this.#path(path), {})))) return
    this.toast({ text: this.t(words), tone: 'good' })
    await this.#row.reload()
  }

  async #cancel(name: string): Promise<void> {
    const isSure = await this.confirm({
      heading: this.t('broadcast.cancelHeading', { name }),
      text: this.t('broadcast.cancelText'),
      action: this.t('broadcast.cancel'),
      tone: 'bad'
    })
    if (isSure) await this.#change('/cancel', 'broadcast.cancelled')
  }

  async #delete(name: string): Promise<void> {
    const heading = this.t('broadcast.deleteHeading', { name })
    const isSure = await this.confirm({ heading, action: this.t('broadcast.delete'), tone: 'bad' })
    const { act, attempt } = this.#api
    if (!isSure || !(await attempt(() => act('DELETE', this.#path())))) return
    this.toast({ text: this.t('broadcast.deleted'), tone: 'good' })
    this.page.navigate(mailHref(this, 'broadcasts'))
  }
}

registerTexts()
registerBroadcastsTexts()
registerLeftOutWords()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonTable, KeelsonEmpty, KeelsonDialog)
definePage('mailer-broadcast', BroadcastPage)
