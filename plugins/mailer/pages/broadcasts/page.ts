// The Broadcasts page: every broadcast with its state; a new one.
import {
  controls,
  define,
  definePage,
  icon,
  KeelsonDialog,
  KeelsonEmpty,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonTable,
  ListLoad,
  Load,
  Shortcuts,
  type TableColumn,
  timeText
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { mailHref, oneHref } from '../addresses.ts'
import { formDialog, part, textOf } from '../form-dialog.ts'
import { mailApi } from '../mail-api.ts'
import { Sending } from '../sending.ts'
import { slugFrom } from '../slug.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { type Broadcast, type BroadcastLine, STATUS_TONES } from './answers.ts'
import { registerBroadcastsTexts } from './texts.ts'

const SIZE = 50
const EVERYONE = { filters: [{ kind: 'subscriptionStatus', equals: 'subscribed' }] }

interface TemplateChoice {
  readonly slug: string
  readonly name: string
  readonly kind: string
}

class BroadcastsPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles]
  readonly #api = mailApi(this)
  readonly #sending = new Sending(this, this.#api)
  readonly #list = new ListLoad(this, {
    args: () => [] as const,
    idOf: ({ slug }: BroadcastLine) => slug,
    page: (_args, { cursor }, signal) => {
      const query = new URLSearchParams({ limit: String(SIZE), ...(cursor && { cursor }) })
      return this.#api.list<BroadcastLine>(`/broadcasts?${query}`, signal)
    }
  })
  readonly #templates = new Load(this, {
    quiet: true,
    args: () => (this.#isNew ? ([] as const) : null),
    run: async (_args, signal) => {
      const all = await this.#api.read<readonly TemplateChoice[]>('/templates', signal)
      return all.filter(({ kind }) => kind === 'marketing')
    }
  })

  constructor() {
    super()
    new Shortcuts(this, () => [
      { keys: 'n', label: this.t('broadcasts.new'), run: () => this.go({ dialog: 'new' }) },
      { keys: 'r', label: this.t('ui.refresh'), run: () => void this.#list.reload() }
    ])
  }

  get #isNew(): boolean {
    return this.params.get('dialog') === 'new'
  }

  protected override get windowTitle(): string {
    return this.t('broadcasts.title')
  }

  protected override content(): TemplateResult {
    const { t } = this
    const list = this.#list
    const link = html`<a class="btn primary" href=${this.address({ dialog: 'new' })}>${icon('plus', 14)}${t('broadcasts.new')}</a>`
    return html`<keelson-page-header heading=${t('broadcasts.title')}>${link}</keelson-page-header>
      <div class="main">
        <keelson-table
          keys
          heading=${t('broadcasts.heading')}
          .columns=${this.#columns()}
          .rows=${list.rows}
          .rowId=${({ slug }: BroadcastLine) => slug}
          .rowHref=${({ slug }: BroadcastLine) => oneHref('broadcast', slug)}
          .loading=${list.isBusy}
          .more=${list.hasMore}
          .error=${list.failure}
          @keelson-more=${() => list.more()}
          @keelson-retry=${() => list.retry()}
        >
          <keelson-empty slot="empty" heading=${t('broadcasts.none')} text=${t('broadcasts.noneText')}>
            <a class="btn" href=${this.address({ dialog: 'new' })}>${t('broadcasts.new')}</a>
          </keelson-empty>
        </keelson-table>
      </div>
      ${this.#isNew ? this.#newDialog() : nothing}`
  }

  #columns(): TableColumn<BroadcastLine>[] {
    const { t, format } = this
    const now = Date.now()
    const time = (at: string | undefined) =>
      at === undefined ? t('mail.none') : timeText(at, now, format)
    return [
      {
        id: 'name',
        header: t('mail.name'),
        grow: 2,
        link: true,
        cell: ({ name }) => name,
        hint: ({ slug }) => slug
      },
      {
        id: 'status',
        header: t('mail.status'),
        width: 100,
        cell: ({ status }) =>
          html`<span class="tag ${STATUS_TONES[status]}">${t(`broadcast.status.${status}`)}</span>`
      },
      {
        id: 'template',
        header: t('broadcasts.template'),
        quiet: true,
        hideBelow: 620,
        cell: ({ templateSlug }) => templateSlug
      },
      {
        id: 'recipients',
        header: t('broadcasts.recipients'),
        width: 96,
        align: 'end',
        hideBelow: 460,
        cell: ({ queuedCount, recipientCount }) =>
          recipientCount === undefined && queuedCount === 0
            ? t('mail.none')
            : format.number(Math.max(queuedCount, recipientCount ?? 0))
      },
      {
        id: 'when',
        header: t('broadcasts.when'),
        width: 124,
        hideBelow: 540,
        cell: ({ startedAt, scheduledAt }) => time(startedAt ?? scheduledAt),
        hint: ({ startedAt, scheduledAt }) => {
          const at = startedAt ?? scheduledAt
          return at === undefined ? undefined : format.dateTime(at)
        }
      },
      {
        id: 'created',
        header: t('broadcasts.created'),
        width: 120,
        quiet: true,
        hideBelow: 760,
        cell: ({ createdAt }) => time(createdAt),
        hint: ({ createdAt }) => format.dateTime(createdAt)
      }
    ]
  }

  #newDialog(): TemplateResult {
    const { t } = this
    const { isSending, problem } = this.#sending
    const templates = this.#templates.value
    const isEmpty = templates !== undefined && templates.length === 0
    const onName = (event: Event) => {
      const { value, form } = event.target as HTMLInputElement
      const slug = form?.elements.namedItem('slug') as HTMLInputElement
      if (slug.dataset['edited'] === undefined) slug.value = slugFrom(value)
    }
    const onSlug = (event: Event) => {
      ;(event.target as HTMLInputElement).dataset['edited'] = ''
    }
    const choice = html`<select class="field" name="templateSlug">
      ${(templates ?? []).map(({ slug, name }) => html`<option value=${slug}>${name}</option>`)}
    </select>`
    const body = html`${part(t('mail.name'), html`<input class="field" name="name" maxlength="200" autocomplete="off" autofocus @input=${onName} />`)}
      ${part(t('mail.slug'), html`<input class="field mono" name="slug" maxlength="64" autocomplete="off" spellcheck="false" @input=${onSlug} />`, t('mail.slugHint'))}
      ${part(t('broadcasts.template'), choice, t('broadcasts.templateHint'))}
      ${isEmpty ? html`<p class="problem">${t('broadcasts.noTemplate')} <a class="link" href=${mailHref('templates', { dialog: 'new' })}>${t('broadcasts.template')}</a></p>` : nothing}`
    return formDialog({
      ...{ heading: t('broadcasts.new'), action: t('mail.create'), isSending, problem, body, t },
      isLocked: templates === undefined || isEmpty,
      onClose: () => {
        this.#sending.clear()
        this.go({ dialog: null })
      },
      onSubmit: (form) => void this.#create(form)
    })
  }

  async #create(form: HTMLFormElement): Promise<void> {
    const [name, slug, templateSlug] = ['name', 'slug', 'templateSlug'].map((field) =>
      textOf(form, field)
    )
    const fields = { name, slug, templateSlug, segmentDefinition: EVERYONE }
    const made = await this.#sending.send(() =>
      this.#api.act<Broadcast>('POST', '/broadcasts', fields)
    )
    if (made !== undefined) this.page.navigate(oneHref('broadcast', made.slug))
  }
}

registerTexts()
registerBroadcastsTexts()
define(KeelsonPageHeader, KeelsonTable, KeelsonEmpty, KeelsonDialog)
definePage('mailer-broadcasts', BroadcastsPage)
