// The Notes page: a form for a new note, and the latest notes.
import {
  apiOf,
  controls,
  define,
  definePage,
  KeelsonEmpty,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonTable,
  Load,
  registerCatalog,
  type TableColumn,
  timeText
} from '@keelson/ui'
import { css, html, type TemplateResult } from 'lit'
import type { Note, NotesAnswer } from '../../schemas.ts'
import texts from './texts.en.json' with { type: 'json' }

const styles = css`
  form { display: flex; flex-wrap: wrap; gap: 8px; align-items: end; }
  label { display: grid; gap: 4px; flex: 1 1 220px; }
`

class NotesPage extends KeelsonPage {
  static override readonly styles = [controls, styles]
  static override readonly properties = { ...KeelsonPage.properties, _isSending: { state: true } }
  declare _isSending: boolean
  readonly #api = apiOf(this)
  readonly #notes = new Load(this, {
    args: () => [],
    run: (_args, signal) => this.#api.read<NotesAnswer>('/api/notes', signal)
  })

  constructor() {
    super()
    this._isSending = false
  }

  async #add(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const text = new FormData(form).get('text')
    this._isSending = true
    const isAdded = await this.#api.attempt(() => this.#api.act('POST', '/api/notes', { text }))
    this._isSending = false
    if (!isAdded) return
    form.reset()
    this.toast({ text: this.t('notes.added'), tone: 'good' })
    await this.#notes.reload()
  }

  protected override content(): TemplateResult {
    const { value, isFirst, isPending, failure } = this.#notes
    return html`<keelson-page-header heading=${this.t('notes.title')}></keelson-page-header>
      <div class="main">
        <form @submit=${this.#add}>
          <label>
            ${this.t('notes.new')}
            <input class="field" name="text" required maxlength="1000" autocomplete="off" />
          </label>
          <button class="btn primary" ?disabled=${this._isSending}>${this.t('notes.add')}</button>
        </form>
        <keelson-table
          heading=${this.t('notes.heading')}
          skeleton="5"
          .columns=${this.#columns(value?.allTenants === true)}
          .rows=${value?.items ?? []}
          .rowId=${({ id }: Note) => id}
          .loading=${isFirst || isPending}
          .error=${failure}
          @keelson-retry=${() => this.#notes.reload()}
        >
          <keelson-empty
            slot="empty"
            heading=${this.t('notes.none')}
            text=${this.t('notes.noneText')}
          ></keelson-empty>
        </keelson-table>
      </div>`
  }

  #columns(allTenants: boolean): TableColumn<Note>[] {
    const tenant: TableColumn<Note> = {
      id: 'tenant',
      header: this.t('notes.tenant'),
      width: 120,
      hideBelow: 480,
      cell: ({ tenantId }) => tenantId
    }
    return [
      {
        id: 'text',
        header: this.t('notes.note'),
        cell: ({ text }) => text,
        hint: ({ text }) => text
      },
      ...(allTenants ? [tenant] : []),
      {
        id: 'created',
        header: this.t('notes.time'),
        width: 110,
        quiet: true,
        cell: ({ createdAt }) => timeText(createdAt, Date.now(), this.format),
        hint: ({ createdAt }) => this.format.dateTime(createdAt)
      }
    ]
  }
}

registerCatalog('en', texts)
define(KeelsonPageHeader, KeelsonTable, KeelsonEmpty)
definePage('notes-plugin-notes', NotesPage)
