// The Clients page: the applications that may ask for access; creating, changing and disabling them.
import {
  addedParams,
  choiceField,
  definePage,
  KeelsonCopy,
  KeelsonDialog,
  KeelsonDrawer,
  type KeelsonListPage,
  Load,
  listPage,
  plainName,
  RequestError,
  recordStyles,
  registerCatalog
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { ClientAnswer } from '../../clients/client-schema.ts'
import type { ClientsAnswer, OneClientAnswer, OptionsAnswer } from '../../operations/answers.ts'
import { Admin } from '../admin.ts'
import { registerTexts } from '../texts.ts'
import { ClientActs, pathOf } from './client-acts.ts'
import { ClientDialogs } from './client-dialogs.ts'
import { clientColumns } from './columns.ts'
import { clientPanel } from './panel.ts'
import texts from './texts.en.json' with { type: 'json' }

type Page = KeelsonListPage<ClientAnswer>

const SIZE = '50'

const statusField = (page: Page): TemplateResult =>
  choiceField(page, 'status', {
    label: page.t('clients.status'),
    choices: ['', 'active', 'disabled'].map((one) => [
      one,
      page.t(one === '' ? 'clients.all' : `clients.${one}`)
    ])
  })

const newButton = (page: Page, look: string): TemplateResult =>
  html`<button class=${look} @click=${() => page.go({ dialog: 'new' })}>${page.t('clients.new')}</button>`

/** Reads one client; null where it does not exist. */
async function readClient(
  { api }: Admin,
  id: string,
  signal: AbortSignal
): Promise<ClientAnswer | null> {
  try {
    return (await api.read<OneClientAnswer>(pathOf(id), signal)).client
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return null
    throw error
  }
}

/** The parts of the page that do something. */
function partsOf(page: Page) {
  const admin = new Admin(page, { namesClients: false, refresh: () => void page.list.reload() })
  const { api } = admin
  const options = new Load(page, {
    args: () => [] as const,
    run: (_args, signal) => api.read<OptionsAnswer>('/admin/options', signal)
  })
  const acts = new ClientActs(page, {
    api,
    onChanged: () => void page.list.reload(),
    onRemoved: () => {
      page.go({ client: null }, { replace: true })
      void page.list.load.reload()
    }
  })
  return { admin, options, acts, dialogs: new ClientDialogs(page, { api, options }) }
}

function panel(
  page: Page,
  { admin, options, acts }: ReturnType<typeof partsOf>,
  client: ClientAnswer
): TemplateResult {
  return clientPanel({
    client,
    known: options.value ?? {},
    format: page.format,
    t: page.t,
    href: (other) => admin.href(other, { client: client.clientId }),
    onEdit: () => page.go({ dialog: 'edit' }),
    onRotate: () => page.go({ dialog: 'rotate' }),
    onDisable: () => void acts.disable(client),
    onEnable: () => void acts.enable(client),
    onDelete: () => void acts.remove(client)
  })
}

const ClientsPage = listPage<ClientAnswer>({
  styles: recordStyles,
  uses: [KeelsonDrawer, KeelsonDialog, KeelsonCopy],
  open(page) {
    const parts = partsOf(page)
    const { admin, dialogs } = parts
    return {
      texts: 'clients',
      source: {
        idOf: ({ clientId }) => clientId,
        words: admin.api.words,
        read: (narrowing, { cursor }, signal) => {
          const query = new URLSearchParams(addedParams({ limit: SIZE, ...narrowing, cursor }))
          return admin.api.read<ClientsAnswer>(`/admin/clients?${query}`, signal)
        }
      },
      filters: { params: ['status', 'search'] },
      // Administrators who may not see the clients are not offered to create one.
      header: () =>
        html`${admin.searchField('search', 'clients.search')} ${statusField(page)}
        ${admin.refreshButton()} ${admin.isRefused ? nothing : newButton(page, 'btn primary')}`,
      emptyAction: () => newButton(page, 'btn'),
      columns: () =>
        clientColumns({
          t: page.t,
          moment: (at) => admin.moment(at),
          wholeTime: (at) => admin.wholeTime(at)
        }),
      panel: {
        param: 'client',
        width: 420,
        label: (client) =>
          page.t('clients.label', {
            name: client === undefined ? (page.list.openId ?? '') : plainName(client.name)
          }),
        read: (id, signal) => readClient(admin, id, signal),
        view: (client) => panel(page, parts, client)
      },
      get dialogs() {
        return admin.isRefused ? {} : dialogs.all
      },
      once: () => dialogs.fresh()
    }
  }
})

registerTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
definePage('oauth-clients', ClientsPage)
