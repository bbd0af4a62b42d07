// The Mailbox page: the mails that came in, and one of them as its reader sees it.
import {
  apiOf,
  definePage,
  KeelsonDrawer,
  type KeelsonPage,
  listPage,
  registerCatalog,
  timeColumn
} from '@keelson/ui'
import { css, html, type TemplateResult } from 'lit'
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

/** The elements bring English along. */
const elements = {}

const VIEWS = ['html', 'text', 'raw'] as const

function mail(page: KeelsonPage, message: Message): TemplateResult {
  const { t } = page
  const views = VIEWS.filter((view) => view !== 'html' || message.html !== '')
  const wanted = page.params.get('view')
  const shown = views.find((view) => view === wanted) ?? views[0] ?? 'text'
  return html`<h2 slot="header">${message.subject || t('mailbox.noSubject')}</h2>
    <div class="mail">
      <dl>
        <dt>${t('mailbox.from')}</dt>
        <dd>${message.from}</dd>
        <dt>${t('mailbox.to')}</dt>
        <dd>${message.to.join(', ')}</dd>
        <dt>${t('mailbox.received')}</dt>
        <dd>${page.format.dateTime(message.date)}</dd>
      </dl>
      <div class="views" role="group" aria-label=${t('mailbox.view')}>
        ${views.map(
          (view) => html`<a
            class="btn"
            href=${page.address({ view })}
            aria-current=${view === shown ? 'true' : 'false'}
            >${t(`mailbox.view.${view}`)}</a
          >`
        )}
      </div>
      ${
        shown === 'html'
          ? html`<iframe
              title=${t('mailbox.asHtml')}
              sandbox="allow-popups allow-popups-to-escape-sandbox"
              src=${`${page.apiBase}/messages/${message.id}/html`}
            ></iframe>`
          : html`<pre>${message[shown]}</pre>`
      }
    </div>`
}

const MailboxPage = listPage<Message>({
  styles,
  uses: [KeelsonDrawer],
  open(page) {
    const { t } = page
    const api = apiOf(page)

    async function clear(): Promise<void> {
      const isDone = await api.attempt(() => api.act('DELETE', '/messages'))
      if (!isDone) return
      page.go({ id: null, view: null })
      await page.list.reload()
    }

    return {
      texts: 'mailbox',
      source: {
        read: async (_narrowing, _position, signal) =>
          (await api.read<Messages>('/messages?limit=200', signal)).messages
      },
      skeleton: 6,
      header: () =>
        html`<button class="btn" @click=${() => page.list.reload()}>${t('ui.refresh')}</button>
        <button class="btn" ?disabled=${page.list.rows.length === 0} @click=${clear}>${t('mailbox.empty')}</button>`,
      panel: { param: 'id', closes: { view: null }, view: (message) => mail(page, message) },
      columns: () => [
        {
          id: 'subject',
          header: t('mailbox.subject'),
          cell: ({ subject }) => subject || t('mailbox.noSubject')
        },
        {
          id: 'to',
          header: t('mailbox.to'),
          width: 220,
          hideBelow: 640,
          cell: ({ to }) => to.join(', ')
        },
        timeColumn(page, ({ date }) => date, {
          id: 'date',
          header: t('mailbox.received')
        })
      ]
    }
  }
})

registerCatalog('en', elements, { de: () => import('@keelson/ui/german') })
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
definePage('mailbox-page', MailboxPage)
