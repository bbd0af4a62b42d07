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
  type TableColumn,
  timeText
} from '@keelson/ui'
import { css, html, type TemplateResult } from 'lit'
import type { Note, NotesAnswer } from '../../schemas.ts'

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
    this.toast({ text: 'The note was added.', tone: 'good' })
    await this.#notes.reload()
  }

  protected override content(): TemplateResult {
    const { value, isFirst, isPending, failure } = this.#notes
    return html`<keelson-page-header heading="Notes"></keelson-page-header>
      <div class="main">
        <form @submit=${this.#add}>
          <label>
            New note
            <input class="field" name="text" required maxlength="1000" autocomplete="off" />
          </label>
          <button class="btn primary" ?disabled=${this._isSending}>Add note</button>
        </form>
        <keelson-table
          heading="Latest notes"
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
            heading="No notes yet"
            text="Notes that you add are listed here."
          ></keelson-empty>
        </keelson-table>
      </div>`
  }

  #columns(allTenants: boolean): TableColumn<Note>[] {
    const tenant: TableColumn<Note> = {
      id: 'tenant',
      header: 'Tenant',
      width: 120,
      hideBelow: 480,
      cell: ({ tenantId }) => tenantId
    }
    return [
      { id: 'text', header: 'Note', cell: ({ text }) => text, hint: ({ text }) => text },
      ...(allTenants ? [tenant] : []),
      {
        id: 'created',
        header: 'Added',
        width: 110,
        quiet: true,
        cell: ({ createdAt }) => timeText(createdAt, Date.now(), this.format),
        hint: ({ createdAt }) => this.format.dateTime(createdAt)
      }
    ]
  }
}

define(KeelsonPageHeader, KeelsonTable, KeelsonEmpty)
definePage('notes-plugin-notes', NotesPage)
