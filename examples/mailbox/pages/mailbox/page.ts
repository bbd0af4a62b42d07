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
  registerCatalog,
  type TableColumn,
  timeText
} from '@keelson/ui'
import { css, html, nothing, type TemplateResult } from 'lit'
import type { Message, Messages } from '../../schemas.ts'
import texts from './texts.en.json' with { type: 'json' }

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
    return html`<keelson-page-header heading=${this.t('mailbox.title')}>
        <button class="btn" @click=${() => this.#messages.reload()}>${this.t('ui.refresh')}</button>
        <button class="btn" ?disabled=${messages.length === 0} @click=${this.#clear}>${this.t('mailbox.empty')}</button>
      </keelson-page-header>
      <div class="main">
      <keelson-drawer
        label=${this.t('mailbox.mail')}
        ?open=${message !== undefined}
        @keelson-close=${() => this.go({ id: null, view: null })}
      >
        <keelson-table
          slot="list"
          heading=${this.t('mailbox.mails')}
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
            heading=${this.t('mailbox.none')}
            text=${this.t('mailbox.noneText')}
          ></keelson-empty>
        </keelson-table>
        ${message === undefined ? nothing : this.#mail(message)}
      </keelson-drawer>
      </div>`
  }

  #columns(): TableColumn<Message>[] {
    return [
      {
        id: 'subject',
        header: this.t('mailbox.subject'),
        cell: ({ subject }) => subject || this.t('mailbox.noSubject')
      },
      {
        id: 'to',
        header: this.t('mailbox.to'),
        width: 220,
        hideBelow: 640,
        cell: ({ to }) => to.join(', ')
      },
      {
        id: 'date',
        header: this.t('mailbox.received'),
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
    return html`<h2 slot="header">${message.subject || this.t('mailbox.noSubject')}</h2>
      <div class="mail">
        <dl>
          <dt>${this.t('mailbox.from')}</dt>
          <dd>${message.from}</dd>
          <dt>${this.t('mailbox.to')}</dt>
          <dd>${message.to.join(', ')}</dd>
          <dt>${this.t('mailbox.received')}</dt>
          <dd>${this.format.dateTime(message.date)}</dd>
        </dl>
        <div class="views" role="group" aria-label=${this.t('mailbox.view')}>
          ${views.map(
            (view) => html`<a
              class="btn"
              href=${this.address({ view })}
              aria-current=${view === shown ? 'true' : 'false'}
              >${this.t(`mailbox.view.${view}`)}</a
            >`
          )}
        </div>
        ${
          shown === 'html'
            ? html`<iframe
                title=${this.t('mailbox.asHtml')}
                sandbox="allow-popups allow-popups-to-escape-sandbox"
                src=${`${this.apiBase}/messages/${message.id}/html`}
              ></iframe>`
            : html`<pre>${message[shown]}</pre>`
        }
      </div>`
  }
}

registerCatalog('en', texts)
define(KeelsonPageHeader, KeelsonTable, KeelsonEmpty, KeelsonDrawer)
definePage('mailbox-page', MailboxPage)
