// The button that opens the views of the dashboard.
import { html, type TemplateResult } from 'lit'
import { viewQuery } from './view-query.ts'
import type { ViewsDialog, ViewsOptions } from './views-dialog.ts'

/** The dialog is loaded when it is opened, and imports nothing of the page: the page stays one module. */
export class ViewsControl {
  readonly #options: ViewsOptions
  #dialog: ViewsDialog | undefined

  constructor(options: ViewsOptions) {
    this.#options = options
  }

  async open(): Promise<void> {
    await this.#options.api.attempt(async () => {
      const { ViewsDialog } = await import('./views-dialog.ts')
      const query = () => viewQuery(this.#options.page.params)
      this.#dialog ??= new ViewsDialog({ ...this.#options, query })
      await this.#dialog.open()
    })
  }

  render(): TemplateResult {
    return html`<button class="btn" @click=${() => void this.open()}>
        ${this.#options.page.t('view.views')}<kbd class="hide" aria-hidden="true">V</kbd>
      </button>
      ${this.#dialog?.render()}`
  }
}
