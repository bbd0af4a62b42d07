// The Mailbox page: the mails that came in, and one of them as its reader sees it.
import {
  apiOf,
  controls,
  define,
  definePage,
  KeelsonDrawer,
  KeelsonEmpty,
  KeelsonPage,
  KeelsonPageHeader,
  KeelsonTable,
  Load,
  type TableColumn,
  timeText
} from '@keelson/ui'
import { css, html, nothing, type TemplateResult } from 'lit'
import type { Message, Messages } from '../../schemas.ts'

const styles = css`
  .mail { display: grid; gap: 12px; padding: 14px 16px 16px; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 4px 12px; margin: 0; }
  dt { color: var(--_ink-3); }
  dd { margin: 0; overflow-wrap: anywhere; }
  iframe { width: 100%; height: max(480px, 70vh); border: 1px solid var(--_hair); border-radius: 6px; background: #fff; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; }
  .views { display: flex; gap: 8px; }
`

const VIEWS = ['html', 'text', 'raw'] as const
type View = (typeof VIEWS)[number]
const LABELS: Readonly<Record<View, string>> = { html: 'HTML', text: 'Text', raw: 'Source' }

class MailboxPage extends KeelsonPage {
  static override readonly styles = [controls, styles]
  readonly #api = apiOf(this)
  readonly #messages = new Load(this, {
    args: () => [],
    run: (_args, signal) => this.#api.read<Messages>('/messages?limit=200', signal)
  })

  async #clear(): Promise<void> {
    const isDone = await this.#api.attempt(() => this.#api.act('DELETE', '/messages'))
    if (!isDone) return
    this.go({ id: null, view: null })
    await this.#messages.reload()
  }

  protected override content(): TemplateResult {
    const { value, isFirst, isPending, failure } = this.#messages
    const messages = value?.messages ?? []
    const message = messages.find(({ id }) => id === this.params.get('id'))
    return html`<keelson-page-header heading="Mailbox">
        <button class="btn" @click=${() => this.#messages.reload()}>Refresh</button>
        <button class="btn" ?disabled=${messages.length === 0} @click=${this.#clear}>Empty</button>
      </keelson-page-header>
      <div class="main">
      <keelson-drawer
        label="Mail"
        ?open=${message !== undefined}
        @keelson-close=${() => this.go({ id: null, view: null })}
      >
        <keelson-table
          slot="list"
          heading="Mails"
          skeleton="6"
          .columns=${this.#columns()}
          .rows=${messages}
          .rowId=${({ id }: Message) => id}
          .selected=${message?.id ?? null}
          .rowHref=${({ id }: Message) => this.address({ id })}
          .loading=${isFirst || isPending}
          .error=${failure}
          @keelson-retry=${() => this.#messages.reload()}
          @keelson-open=${({ detail }: CustomEvent<{ id: string }>) => this.go({ id: detail.id })}
        >
          <keelson-empty
            slot="empty"
            heading="No mail yet"
            text="Mail that the demo sends arrives here."
          ></keelson-empty>
        </keelson-table>
        ${message === undefined ? nothing : this.#mail(message)}
      </keelson-drawer>
      </div>`
  }

  #columns(): TableColumn<Message>[] {
    return [
      { id: 'subject', header: 'Subject', cell: ({ subject }) => subject || '(no subject)' },
      { id: 'to', header: 'To', width: 220, hideBelow: 640, cell: ({ to }) => to.join(', ') },
      {
        id: 'date',
        header: 'Received',
        width: 110,
        quiet: true,
        cell: ({ date }) => timeText(date, Date.now(), this.format),
        hint: ({ date }) => this.format.dateTime(date)
      }
    ]
  }

  #mail(message: Message): TemplateResult {
    const views = VIEWS.filter((view) => view !== 'html' || message.html !== '')
    const wanted = this.params.get('view')
    const shown = views.find((view) => view === wanted) ?? views[0] ?? 'text'
    return html`<h2 slot="header">${message.subject || '(no subject)'}</h2>
      <div class="mail">
        <dl>
          <dt>From</dt>
          <dd>${message.from}</dd>
          <dt>To</dt>
          <dd>${message.to.join(', ')}</dd>
          <dt>Received</dt>
          <dd>${this.format.dateTime(message.date)}</dd>
        </dl>
        <div class="views" role="group" aria-label="View">
          ${views.map(
            (view) => html`<a
              class="btn"
              href=${this.address({ view })}
              aria-current=${view === shown ? 'true' : 'false'}
              >${LABELS[view]}</a
            >`
          )}
        </div>
        ${
          shown === 'html'
            ? html`<iframe
                title="The mail as HTML"
                sandbox="allow-popups allow-popups-to-escape-sandbox"
                src=${`${this.apiBase}/messages/${message.id}/html`}
              ></iframe>`
            : html`<pre>${message[shown]}</pre>`
        }
      </div>`
  }
}

define(KeelsonPageHeader, KeelsonTable, KeelsonEmpty, KeelsonDrawer)
definePage('mailbox-page', MailboxPage)
