// The page of Third party plugin: the words, a text to check, and what was held.
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
  tableView
} from '@keelson/ui'
import { css, html, nothing, type TemplateResult } from 'lit'
import type { Day, Found, Status } from '../../schemas.ts'
import texts from './texts.en.json' with { type: 'json' }

const styles = css`
  form, label { display: grid; gap: 6px; justify-items: start; }
  label { inline-size: 100%; }
  .words, [role='status'] { min-block-size: 22px; }
`

class StatusPage extends KeelsonPage {
  static override readonly styles = [controls, styles]
  static override readonly properties = { ...KeelsonPage.properties, _found: { state: true } }
  /** The answer to the last check. */
  declare _found: Found | undefined
  readonly #api = apiOf(this)
  readonly #status = new Load(this, {
    args: () => [],
    run: (_args, signal) => this.#api.read<Status>('/api/status', signal)
  })

  constructor() {
    super()
    this._found = undefined
  }

  async #check(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const text = new FormData(event.currentTarget as HTMLFormElement).get('text')
    await this.#api.attempt(async () => {
      this._found = await this.#api.act<Found>('POST', '/api/check', { text })
    })
  }

  protected override content(): TemplateResult {
    const { value } = this.#status
    return html`<keelson-page-header heading=${this.t('words.title')}></keelson-page-header>
      <div class="main">
        <p class="row words">${value === undefined ? nothing : this.#words(value)}</p>
        <form @submit=${this.#check}>
          <label>
            ${this.t('words.text')}
            <textarea class="field" name="text" rows="3" required maxlength="50000"></textarea>
          </label>
          <button class="btn">${this.t('words.check')}</button>
          <p role="status">${this.#answer()}</p>
        </form>
        ${this.#held(value)}
      </div>`
  }

  #held(value: Status | undefined): TemplateResult {
    return tableView({
      heading: this.t('words.held'),
      skeleton: 3,
      columns: this.#columns(),
      rows: value?.days ?? [],
      idOf: ({ day, word }) => `${day} ${word}`,
      read: this.#status,
      empty: { heading: this.t('words.noneHeld'), text: this.t('words.noneHeldText') }
    })
  }

  #words({ words }: Status): TemplateResult {
    if (words.length === 0) return html`${this.t('words.none')}`
    return html`${words.map((word) => html`<span class="tag info">${word}</span>`)}`
  }

  #answer(): string {
    if (this._found === undefined) return ''
    const { word } = this._found
    return word === null ? this.t('words.passes') : this.t('words.holds', { word })
  }

  #columns(): TableColumn<Day>[] {
    return [
      { id: 'word', header: this.t('words.word'), cell: ({ word }) => word },
      {
        id: 'day',
        header: this.t('words.day'),
        width: 130,
        quiet: true,
        cell: ({ day }) => this.#dayText(day)
      },
      {
        id: 'held',
        header: this.t('words.mails'),
        width: 90,
        align: 'end',
        cell: ({ held }) => this.format.number(held)
      }
    ]
  }

  #dayText(day: string): string {
    return new Date(day).toLocaleDateString(this.format.locale, {
      dateStyle: 'medium',
      timeZone: 'UTC'
    })
  }
}

registerCatalog('en', texts)
define(KeelsonPageHeader, KeelsonTable, KeelsonEmpty)
definePage('third-party-plugin-status', StatusPage)
