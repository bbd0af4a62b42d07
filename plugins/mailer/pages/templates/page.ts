// The Templates page: every template with its state; a new one.
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
  Load,
  registerCatalog,
  Shortcuts
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { oneHref } from '../addresses.ts'
import { formDialog, part, textOf } from '../form-dialog.ts'
import { mailApi } from '../mail-api.ts'
import { Sending } from '../sending.ts'
import { slugFrom } from '../slug.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { matching, type TemplateLine } from './answers.ts'
import { templateColumns } from './columns.ts'
import texts from './texts.en.json' with { type: 'json' }

const KINDS = ['marketing', 'transactional'] as const

class TemplatesPage extends KeelsonPage {
  static override readonly styles = [controls, pageStyles]
  readonly #api = mailApi(this)
  readonly #sending = new Sending(this, this.#api)
  readonly #list = new Load(this, {
    args: () => [] as const,
    run: (_args, signal) => this.#api.read<readonly TemplateLine[]>('/templates', signal)
  })

  constructor() {
    super()
    this.kept = []
    new Shortcuts(this, () => [
      { keys: 'n', label: this.t('templates.new'), run: () => this.go({ dialog: 'new' }) },
      { keys: 'r', label: this.t('ui.refresh'), run: () => void this.#list.reload() }
    ])
  }

  protected override get windowTitle(): string {
    return this.t('templates.title')
  }

  protected override content(): TemplateResult {
    const { t, format } = this
    const { value, isPending, failure } = this.#list
    const kind = this.params.get('kind') ?? ''
    const search = this.params.get('q') ?? ''
    const rows = matching(value ?? [], { kind, search })
    return html`<keelson-page-header heading=${t('templates.title')}>
        <a class="btn primary" href=${this.address({ dialog: 'new' })}>${icon('plus', 14)}${t('templates.new')}</a>
      </keelson-page-header>
      <div class="main">
        <div class="row">${this.#searchField(search)} ${this.#kindField(kind)}</div>
        <keelson-table
          keys
          heading=${t('templates.heading')}
          .columns=${templateColumns({ t, format, now: Date.now() })}
          .rows=${rows}
          .rowId=${({ slug }: TemplateLine) => slug}
          .rowHref=${({ slug }: TemplateLine) => oneHref('template', slug)}
          .total=${value === undefined ? null : rows.length}
          .loading=${isPending}
          .error=${failure}
          @keelson-retry=${() => this.#list.reload()}
        >
          ${this.#empty(kind !== '' || search !== '')}
        </keelson-table>
      </div>
      ${this.params.get('dialog') === 'new' ? this.#newDialog() : nothing}`
  }

  #searchField(search: string): TemplateResult {
    const words = this.t('templates.search')
    return html`<input
      class="field search"
      type="search"
      placeholder=${words}
      aria-label=${words}
      .value=${search}
      @input=${(event: Event) => this.go({ q: (event.target as HTMLInputElement).value }, { replace: true })}
    />`
  }

  #kindField(kind: string): TemplateResult {
    const { t } = this
    return html`<select class="field pick" aria-label=${t('templates.kind')}
      @change=${(event: Event) => this.go({ kind: (event.target as HTMLSelectElement).value })}>
      <option value="">${t('templates.allKinds')}</option>
      ${KINDS.map((one) => html`<option value=${one} ?selected=${one === kind}>${t(`mail.${one}`)}</option>`)}
    </select>`
  }

  #empty(isNarrowed: boolean): TemplateResult {
    const { t } = this
    if (isNarrowed)
      return html`<keelson-empty slot="empty" heading=${t('templates.noneFound')}>
        <a class="btn" href=${this.address({ q: null, kind: null })}>${t('templates.clear')}</a>
      </keelson-empty>`
    return html`<keelson-empty slot="empty" heading=${t('templates.none')} text=${t('templates.noneText')}>
      <a class="btn" href=${this.address({ dialog: 'new' })}>${t('templates.new')}</a>
    </keelson-empty>`
  }

  #newDialog(): TemplateResult {
    const { t } = this
    const { isSending, problem } = this.#sending
    const onName = (event: Event) => {
      const { value, form } = event.target as HTMLInputElement
      const slug = form?.elements.namedItem('slug') as HTMLInputElement
      if (slug.dataset['edited'] === undefined) slug.value = slugFrom(value)
    }
    const onSlug = (event: Event) => {
      ;(event.target as HTMLInputElement).dataset['edited'] = ''
    }
    const body = html`${part(t('mail.name'), html`<input class="field" name="name" maxlength="200" autocomplete="off" autofocus @input=${onName} />`)}
      ${part(t('mail.slug'), html`<input class="field mono" name="slug" maxlength="64" autocomplete="off" spellcheck="false" @input=${onSlug} />`, t('mail.slugHint'))}
      ${part(
        t('templates.kind'),
        html`<select class="field" name="kind">${KINDS.map((kind) => html`<option value=${kind}>${t(`mail.${kind}`)}</option>`)}</select>`,
        t('templates.kindHint')
      )}`
    return formDialog({
      ...{ heading: t('templates.new'), action: t('mail.create'), isSending, problem, body, t },
      onClose: () => {
        this.#sending.clear()
        this.go({ dialog: null })
      },
      onSubmit: (form) => void this.#create(form)
    })
  }

  async #create(form: HTMLFormElement): Promise<void> {
    const [name, slug, kind] = ['name', 'slug', 'kind'].map((field) => textOf(form, field))
    const make = () => this.#api.act<TemplateLine>('POST', '/templates', { name, slug, kind })
    const made = await this.#sending.send(make)
    if (made !== undefined) this.page.navigate(oneHref('template', made.slug))
  }
}

registerTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
define(KeelsonPageHeader, KeelsonTable, KeelsonEmpty, KeelsonDialog)
definePage('mailer-templates', TemplatesPage)
