// The Broadcast page: compose, count, schedule behind a typed number, watch, pause, read the results.
import {
  breadcrumb,
  controls,
  Draft,
  define,
  definePage,
  KeelsonDialog,
  KeelsonEmpty,
  KeelsonPage,
  KeelsonPageHeader,
  type ListLoad,
  registerCatalog
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { mailHref, slugOf } from '../addresses.ts'
import { bonesOr } from '../bones.ts'
import {
  type Broadcast,
  type BroadcastDetail,
  type LeftOutContact,
  type Recipient,
  STATUS_TONES
} from '../broadcasts/answers.ts'
import { registerBroadcastsTexts } from '../broadcasts/texts.ts'
import { mailApi } from '../mail-api.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { BroadcastActs } from './acts.ts'
import { BroadcastLive } from './live-reads.ts'
import { broadcastLoads } from './loads.ts'
import { resumeBody } from './resume-choice.ts'
import { filtersOf, isComplete } from './segment.ts'
import { broadcastStyles } from './styles.ts'
import texts from './texts.en.json' with { type: 'json' }
import type { WatchView } from './watch/view.ts'
import type { Words } from './words.ts'

/** States in which something may still happen. */
const ACTIVE = ['scheduled', 'sending', 'paused']
/** Rows of a first page: a longer list is not read again by itself. */
const FIRST_PAGE = 50

class BroadcastPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles, broadcastStyles]
  readonly #api = mailApi(this)
  readonly #path = (rest = ''): string => `/broadcasts/${encodeURIComponent(this.#slug)}${rest}`
  readonly #draft: Draft<Broadcast> = new Draft<Broadcast>(this, {
    save: async (changes, request) => {
      const { body, revision } = await this.#api.revise<Broadcast>(this.#path(), changes, request)
      return { fields: body, revision }
    },
    read: async () => {
      const row = await this.#api.read<BroadcastDetail>(this.#path())
      this.#loads.row.set(row)
      return { fields: row, revision: row.revision }
    },
    words: this.#api.words
  })
  readonly #loads: ReturnType<typeof broadcastLoads> = broadcastLoads(this, {
    api: this.#api,
    path: this.#path,
    slug: () => this.#slug,
    status: () => this.#row?.status,
    counted: () => this.#counted(),
    take: (row) => this.#draft.take(row.slug, { fields: row, revision: row.revision })
  })
  readonly #acts = new BroadcastActs(this, {
    api: this.#api,
    path: this.#path,
    save: () => this.#draft.flush(),
    unsaved: () => this.#draft.reason,
    reload: () => this.#loads.row.reload(),
    recount: () => this.#loads.count.reload(),
    renamed: () => this.#loads.named.reload()
  })

  constructor() {
    super()
    new BroadcastLive(this, {
      isActive: () => ACTIVE.includes(this.#row?.status ?? ''),
      row: this.#loads.row,
      report: this.#loads.report,
      list: () => {
        const list = this.params.has('leftOut') ? this.#loads.leftOut : this.#loads.recipients
        return list.rows.length > FIRST_PAGE ? undefined : list
      },
      figures: () => {
        const { statusBreakdown, leftOut } = this.#row ?? {}
        return statusBreakdown === undefined ? '' : JSON.stringify([statusBreakdown, leftOut])
      }
    })
  }

  /** The broadcast as it was read; undefined while it is not, and where there is none. */
  get #row(): BroadcastDetail | undefined {
    return this.#loads?.row.value ?? undefined
  }

  get #slug(): string {
    return slugOf(this.sub)
  }

  get #show(): string {
    return this.params.get('show') ?? ''
  }

  /** What is counted: the audience of a draft as it is edited, or what a resume would let out. */
  #counted(): object | undefined {
    const row = this.#row
    const edited = this.#draft.fields
    if (row?.status === 'paused' && this.#show === 'resume')
      return resumeBody(row, this.#acts.choice)
    if (row?.status !== 'draft' || edited === undefined) return undefined
    const { segmentDefinition, recipientCap = null } = edited
    if (!isComplete(filtersOf(segmentDefinition))) return undefined
    return { segmentDefinition, recipientCap }
  }

  protected override get windowTitle(): string {
    return this.#draft.fields?.name ?? this.t('broadcast.list')
  }

  protected override content(): TemplateResult {
    const { t, format, linkTo } = this
    const row = this.#loads.row.value
    if (this.#slug === '' || row === null) return this.#notFound()
    const words: Words = { t, format, linkTo, address: (changes) => this.address(changes) }
    return html`${this.#header(row)}
      <div class="main">
        ${row === undefined ? this.#waiting() : this.#body(row, words)}
      </div>
      ${row === undefined ? nothing : this.#dialog(row, words)} ${this.#draft.notice()}`
  }

  #waiting(): TemplateResult {
    const { row, compose, watch } = this.#loads
    const failure = row.failure ?? compose.failure ?? watch.failure
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
    const { compose, watch, report, recipients, leftOut, count, templates, named } = this.#loads
    if (row.status !== 'draft') {
      if (watch.value === undefined) return this.#waiting()
      const view: WatchView = {
        words,
        broadcast: row,
        report: report.value,
        status: this.params.get('status') ?? '',
        recipients: recipients as ListLoad<readonly unknown[], Recipient>,
        leftOut: leftOut as ListLoad<readonly unknown[], LeftOutContact>,
        isLeftOut: this.params.has('leftOut'),
        leftOutReason: this.params.get('leftOut') ?? ''
      }
      return html`<mailer-broadcast-watch .view=${view}></mailer-broadcast-watch>`
    }
    if (compose.value === undefined) return this.#waiting()
    const { failure } = count
    return compose.value.composeView({
      words,
      broadcast: this.#draft.fields ?? row,
      count,
      templates: templates.value ?? [],
      named: named.value ?? [],
      problem: failure === undefined ? '' : this.#api.words(failure),
      // A field that is taken away is null in a change, and missing in a broadcast.
      onChange: (fields, isHeld = false) =>
        this.#draft.change(fields as Partial<Broadcast>, { isHeld })
    })
  }

  #header(row: BroadcastDetail | undefined): TemplateResult {
    const { t } = this
    return html`<keelson-page-header ranged heading=${this.#draft.fields?.name ?? this.#slug}>
      ${breadcrumb(this, mailHref(this, 'broadcasts'), t('broadcast.list'))}
      ${
        row === undefined
          ? html`<span class="room"></span>`
          : html`<span slot="tags" class="tag ${STATUS_TONES[row.status]}">${t(`broadcast.status.${row.status}`)}</span>
            ${row.status === 'draft' ? this.#draft.status() : nothing}
            ${this.#actions(row)}`
      }
    </keelson-page-header>`
  }

  #actions({ status, name, startedAt, nextWaveAt }: BroadcastDetail): TemplateResult {
    const { t } = this
    const open = (show: string, label: string, tone = 'quiet') =>
      html`<a class="btn ${tone}" role="button" href=${this.address({ show })}>${t(label)}</a>`
    if (status === 'draft')
      return html`<button class="btn quiet" @click=${() => void this.#acts.delete(name)}>${t('broadcast.delete')}</button>
        ${open('preview', 'broadcast.preview', '')} ${open('schedule', 'broadcast.schedule', 'primary')}`
    const copies = html`${open('duplicate', 'broadcast.duplicate')}
      ${startedAt === undefined || status === 'sending' ? nothing : open('again', 'broadcast.again', status === 'paused' ? 'quiet' : '')}`
    if (!ACTIVE.includes(status)) return copies
    const next = () =>
      html`<button class="btn" @click=${() => void this.#acts.nextWave()}>${t('broadcast.nextWave')}</button>`
    return html`${copies}<button class="btn quiet" @click=${() => void this.#acts.cancel(name)}>${t('broadcast.cancel')}</button>
      ${status === 'sending' && nextWaveAt !== undefined ? next() : nothing}
      ${
        status === 'paused'
          ? open('resume', 'broadcast.resume', 'primary')
          : html`<button class="btn primary" @click=${() => void this.#acts.pause()}>${t('broadcast.pause')}</button>`
      }`
  }

  #dialog(row: BroadcastDetail, words: Words): TemplateResult | typeof nothing {
    const { count, who } = this.#loads
    const broadcast = { ...row, ...this.#draft.fields }
    const counted = count.isPending ? undefined : count.value
    const { segmentDefinition } = broadcast
    const shown = { words, broadcast, show: this.#show, count: counted, segmentDefinition, who }
    return this.#acts.dialog(shown)
  }
}

registerTexts()
registerBroadcastsTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonEmpty, KeelsonDialog)
definePage('mailer-broadcast', BroadcastPage)
