// The Grants page for administrators: live grants by client and person, and the end of one.
import {
  definePage,
  type KeelsonListPage,
  listPage,
  plainName,
  recordStyles,
  registerCatalog,
  type TableColumn
} from '@keelson/ui'
import { html, type TemplateResult } from 'lit'
import type { EndedGrantAnswer, ListedGrantAnswer } from '../../operations/answers.ts'
import { Admin } from '../admin.ts'
import { NARROWED, narrowedHeader, narrowedQuery } from '../narrowed-list.ts'
import { registerTexts } from '../texts.ts'
import texts from './texts.en.json' with { type: 'json' }

type Grant = ListedGrantAnswer

const SIZE = 50

async function end(
  page: KeelsonListPage<Grant>,
  { api }: Admin,
  { id, client, userId, person = userId }: Grant
): Promise<void> {
  const { t } = page
  const isSure = await page.confirm({
    heading: t('grants.endHeading', {
      name: plainName(client.name),
      person: plainName(person)
    }),
    text: t('grants.endText'),
    action: t('grants.endAction'),
    tone: 'bad'
  })
  if (!isSure) return
  const path = `/admin/grants/${encodeURIComponent(id)}`
  await api.attempt(async () => {
    const { tokensRevoked } = await api.act<EndedGrantAnswer>('DELETE', path)
    page.toast({ text: t('grants.ended', { count: tokensRevoked }) })
    await page.list.reload()
  })
}

function columns(page: KeelsonListPage<Grant>, admin: Admin): TableColumn<Grant>[] {
  const { t } = page
  return [
    {
      id: 'client',
      header: t('admin.client'),
      cell: ({ client }) =>
        html`<a class="link" href=${admin.href('clients', { client: client.clientId })}
          >${plainName(client.name)}</a
        >`,
      hint: ({ client }) => client.clientId
    },
    {
      id: 'person',
      header: t('grants.person'),
      cell: ({ userId, person = userId }) =>
        html`<a class="link" href=${page.address({ user: userId })}>${plainName(person)}</a>`,
      hint: ({ userId }) => userId
    },
    {
      id: 'scopes',
      header: t('grants.scopes'),
      grow: 2,
      mono: true,
      quiet: true,
      wraps: true,
      cell: ({ scopes }) => scopes.join(' '),
      hint: ({ scopes }) => scopes.join(' ')
    },
    {
      id: 'context',
      header: t('grants.context'),
      width: 120,
      hideBelow: 980,
      cell: ({ contextId, contextLabel = contextId }) =>
        contextLabel === undefined ? html`<span class="dim">–</span>` : plainName(contextLabel),
      hint: ({ contextId }) => contextId
    },
    {
      id: 'since',
      header: t('grants.since'),
      width: 136,
      quiet: true,
      hideBelow: 760,
      cell: ({ createdAt }) => admin.moment(createdAt),
      hint: ({ createdAt }) => admin.wholeTime(createdAt)
    },
    {
      id: 'used',
      header: t('grants.used'),
      width: 136,
      quiet: true,
      hideBelow: 500,
      cell: ({ lastUsedAt }) => admin.moment(lastUsedAt),
      hint: ({ lastUsedAt }) => admin.wholeTime(lastUsedAt)
    },
    {
      id: 'act',
      header: t('admin.act'),
      width: 98,
      align: 'end',
      cell: (grant) => endButton(page, admin, grant)
    }
  ]
}

function endButton(page: KeelsonListPage<Grant>, admin: Admin, grant: Grant): TemplateResult {
  const { client, userId, person = userId } = grant
  const label = { name: plainName(client.name), person: plainName(person) }
  return html`<button
    class="link"
    aria-label=${page.t('grants.endOf', label)}
    @click=${() => void end(page, admin, grant)}
  >
    ${page.t('grants.end')}
  </button>`
}

const GrantsPage = listPage<Grant>({
  styles: recordStyles,
  open(page) {
    const admin = new Admin(page, { refresh: () => void page.list.reload() })
    return {
      texts: 'grants',
      source: {
        size: SIZE,
        read(narrowing, { rows }, signal) {
          const query = narrowedQuery(narrowing, {
            limit: String(SIZE),
            skip: String(rows.length)
          })
          return admin.api.read<{ items: Grant[] }>(`/admin/grants?${query}`, signal)
        }
      },
      filters: NARROWED,
      header: () => narrowedHeader(admin, page.list, page.t),
      columns: () => columns(page, admin)
    }
  }
})

registerTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
definePage('oauth-grants', GrantsPage)
