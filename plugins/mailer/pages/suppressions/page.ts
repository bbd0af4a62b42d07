// The Suppressions page: addresses that get no mail, by reason and scope; adding and removing them.
import {
  definePage,
  downloadLink,
  KeelsonDialog,
  KeelsonDrawer,
  KeelsonFilterChips,
  type KeelsonListPage,
  type KeelsonPage,
  listPage,
  type Messages,
  type ParamChanges,
  registerCatalog,
  type TableColumn,
  timeColumn
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import { apiAddress, type MailApi, mailApi } from '../mail-api.ts'
import { panelStyles } from '../panel-styles.ts'
import { pageStyles } from '../styles.ts'
import { registerTexts } from '../texts.ts'
import { addFields, removeFields } from './dialogs.ts'
import { SuppressionImport } from './import-dialog.ts'
import { isRemovable, type Suppression, scopeWords, sourceWords } from './suppression.ts'
import texts from './texts.en.json' with { type: 'json' }
import { registerSuppressionWords } from './words.ts'

/** English is what the server says. */
const said: Messages = {}

const REASONS = [
  'unsubscribed',
  'hard_bounce',
  'complaint',
  'manual',
  'list_cleaning',
  'gdpr_forget'
]
const SCOPES = ['all', 'marketing', 'transactional', 'marketing_pause']

type Page = KeelsonListPage<Suppression>

async function changed(
  page: Page,
  text: string,
  changes: ParamChanges = {}
): Promise<ParamChanges> {
  page.toast({ text, tone: 'good' })
  await page.list.reload()
  return changes
}

async function add(page: Page, api: MailApi, form: HTMLFormElement): Promise<ParamChanges> {
  const {
    email = '',
    scope,
    notes
  } = Object.fromEntries(new FormData(form)) as Partial<Record<string, string>>
  const body = { email, scope, reason: 'manual', source: 'admin', ...(notes && { notes }) }
  await api.act('POST', '/suppressions', body)
  return changed(page, page.t('suppressions.addedToast', { email }))
}

async function remove(
  page: Page,
  api: MailApi,
  { _id }: Suppression,
  form: HTMLFormElement
): Promise<ParamChanges> {
  const reason = String(new FormData(form).get('reason') ?? '').trim()
  const path = `/suppressions/${encodeURIComponent(_id)}`
  await api.act('DELETE', path, reason === '' ? {} : { reason })
  return changed(page, page.t('suppressions.removed'), { suppression: null })
}

function panel(page: Page, row: Suppression): TemplateResult {
  const { t, format } = page
  const { email, emailHash, scope, reason, source, notes, addedAt, expiresAt, names } = row
  return html`<div slot="header" class="panel-head">
      <h2>${email ?? t('suppressions.erased')}</h2>
    </div>
    <section class="panel-part">
      <dl class="facts">
        <dt>${t('suppressions.reason')}</dt><dd>${t(`suppressed.${reason}`)}</dd>
        <dt>${t('suppressions.scope')}</dt><dd>${scopeWords(scope, t, names?.category)}</dd>
        <dt>${t('suppressions.added')}</dt><dd>${format.dateTime(addedAt)}</dd>
        <dt>${t('suppressions.expires')}</dt><dd>${expiresAt === null ? t('suppressions.never') : format.dateTime(expiresAt)}</dd>
        ${source === undefined ? nothing : html`<dt>${t('suppressions.source')}</dt><dd>${sourceWords(source, t)}</dd>`}
        ${notes === undefined ? nothing : html`<dt>${t('suppressions.notes')}</dt><dd>${notes}</dd>`}
        <dt>${t('suppressions.hash')}</dt><dd class="mono">${emailHash}</dd>
      </dl>
    </section>
    <div class="panel-part">
      ${
        isRemovable(row)
          ? html`<a class="btn" href=${page.address({ dialog: 'remove' })}>${t('suppressions.remove')}</a>`
          : html`<p class="dim">${t('suppressions.stays')}</p>`
      }
    </div>`
}

const columns = (page: KeelsonPage): TableColumn<Suppression>[] => {
  const { t } = page
  return [
    {
      id: 'email',
      header: t('suppressions.email'),
      grow: 2,
      link: true,
      cell: ({ email }) => email ?? html`<span class="dim">${t('suppressions.erased')}</span>`,
      hint: ({ email }) => email ?? undefined
    },
    {
      id: 'reason',
      header: t('suppressions.reason'),
      width: 128,
      cell: ({ reason }) => t(`suppressed.${reason}`)
    },
    {
      id: 'scope',
      header: t('suppressions.scope'),
      width: 210,
      hideBelow: 520,
      cell: ({ scope, names }) => scopeWords(scope, t, names?.category)
    },
    {
      id: 'source',
      header: t('suppressions.source'),
      grow: 2,
      hideBelow: 760,
      quiet: true,
      cell: ({ source }) => (source === undefined ? '–' : sourceWords(source, t))
    },
    timeColumn(page, ({ addedAt }) => addedAt, {
      id: 'added',
      header: t('suppressions.added'),
      hideBelow: 420
    })
  ]
}

const SuppressionsPage = listPage<Suppression>({
  styles: [pageStyles, panelStyles],
  uses: [KeelsonFilterChips, KeelsonDrawer, KeelsonDialog],
  open(page) {
    const { t } = page
    const api = mailApi(page)
    const imported = new SuppressionImport(page, api)

    return {
      texts: 'suppressions',
      source: { idOf: ({ _id }) => _id, words: api.words, read: api.pages('/suppressions') },
      filters: {
        params: ['email', 'scope', 'reason'],
        chips: () => [
          { id: 'email', label: t('suppressions.email') },
          {
            id: 'scope',
            label: t('suppressions.scope'),
            values: [...new Set([...SCOPES, ...page.list.rows.map(({ scope }) => scope)])],
            words: (scope) =>
              scopeWords(
                scope,
                t,
                page.list.rows.find((row) => row.scope === scope)?.names?.category
              )
          },
          {
            id: 'reason',
            label: t('suppressions.reason'),
            values: REASONS,
            words: (reason) => t(`suppressed.${reason}`),
            free: false
          }
        ]
      },
      header: () =>
        html`${downloadLink(page, {
          href: apiAddress(page, `/suppressions/export?${page.list.filters.params}`),
          name: 'suppression-list.csv',
          label: t('suppressions.export')
        })}
        <a class="btn" href=${page.address({ dialog: 'import' })}>${t('suppressions.import')}</a>
        <a class="btn primary" href=${page.address({ dialog: 'add' })}>${t('suppressions.add')}</a>`,
      panel: { param: 'suppression', closes: { dialog: null }, view: (row) => panel(page, row) },
      dialogs: {
        add: () => ({
          heading: t('suppressions.add'),
          action: t('suppressions.addAction'),
          body: addFields(t),
          send: (form) => add(page, api, form)
        }),
        import: () => imported.dialog(),
        remove: () => {
          const { open } = page.list
          return open
            ? {
                heading: t('suppressions.removeHeading', { email: open.email ?? open.emailHash }),
                action: t('suppressions.remove'),
                tone: 'danger',
                body: removeFields(open, t),
                send: (form) => remove(page, api, open, form)
              }
            : undefined
        }
      },
      columns
    }
  }
})

registerTexts()
registerSuppressionWords()
registerCatalog('en', said, { de: () => import('./said.de.json', { with: { type: 'json' } }) })
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
definePage('mailer-suppressions', SuppressionsPage)
