// The Keys page: what signs, what is still published, and the change from one to the next.
import {
  definePage,
  type KeelsonListPage,
  listPage,
  recordStyles,
  registerCatalog,
  type TableColumn
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { KeysAnswer } from '../../operations/answers.ts'
import { Admin } from '../admin.ts'
import { registerTexts } from '../texts.ts'
import texts from './texts.en.json' with { type: 'json' }

type Key = KeysAnswer['items'][number]
type Page = KeelsonListPage<Key>

/** Keep the place of the buttons until the algorithms are known. */
const USUAL_ALGORITHMS = ['ES256', 'RS256']

async function rotate(page: Page, admin: Admin, alg: string): Promise<void> {
  const isSure = await page.confirm({
    heading: page.t('keys.rotateHeading', { alg }),
    text: page.t('keys.rotateText'),
    action: page.t('keys.rotateAction')
  })
  const { act } = admin.api
  if (isSure)
    await change(page, admin, 'keys.rotated', () => act('POST', '/admin/keys/rotate', { alg }))
}

async function remove(page: Page, admin: Admin, { kid }: Key): Promise<void> {
  const isSure = await page.confirm({
    heading: page.t('keys.deleteHeading'),
    text: page.t('keys.deleteText'),
    action: page.t('keys.deleteAction'),
    tone: 'bad'
  })
  const path = `/admin/keys/${encodeURIComponent(kid)}`
  const { act } = admin.api
  if (isSure) await change(page, admin, 'keys.deleted', () => act('DELETE', path))
}

async function change(
  page: Page,
  admin: Admin,
  words: string,
  act: () => Promise<unknown>
): Promise<void> {
  if (!(await admin.api.attempt(act))) return
  page.toast({ text: page.t(words), tone: 'good' })
  await page.list.reload()
}

function rotateButton(
  page: Page,
  admin: Admin,
  { alg, mayChange }: { readonly alg: string; readonly mayChange: boolean }
): TemplateResult {
  return html`<button
    class="btn primary"
    ?disabled=${!mayChange || page.list.load.value === undefined}
    @click=${() => void rotate(page, admin, alg)}
  >
    ${page.t('keys.rotate', { alg })}
  </button>`
}

function columns(page: Page, admin: Admin, mayChange: boolean): TableColumn<Key>[] {
  const { t } = page
  return [
    {
      id: 'kid',
      header: t('keys.kid'),
      mono: true,
      cell: ({ kid }) => kid,
      hint: ({ kid }) => kid
    },
    { id: 'alg', header: t('keys.alg'), width: 92, hideBelow: 420, cell: ({ alg }) => alg },
    {
      id: 'status',
      header: t('keys.status'),
      width: 96,
      cell: ({ status }) =>
        html`<span class=${status === 'active' ? 'tag good' : 'tag'}>${t(`keys.${status}`)}</span>`
    },
    {
      id: 'made',
      header: t('keys.made'),
      width: 136,
      quiet: true,
      hideBelow: 560,
      cell: ({ createdAt, isConfigured }) =>
        isConfigured ? t('keys.configured') : admin.moment(createdAt),
      hint: ({ createdAt }) => admin.wholeTime(createdAt)
    },
    {
      id: 'act',
      header: t('admin.act'),
      width: 80,
      align: 'end',
      cell: (key) => (mayChange ? deleteButton(page, admin, key) : nothing)
    }
  ]
}

function deleteButton(page: Page, admin: Admin, key: Key): TemplateResult | typeof nothing {
  if (key.status === 'active' || key.isConfigured) return nothing
  return html`<button
    class="link"
    aria-label=${page.t('keys.deleteOf', { kid: key.kid })}
    @click=${() => void remove(page, admin, key)}
  >
    ${page.t('keys.delete')}
  </button>`
}

const KeysPage = listPage<Key>({
  styles: recordStyles,
  open(page) {
    const admin = new Admin(page, { namesClients: false, refresh: () => void page.list.reload() })
    let algorithms: readonly string[] = USUAL_ALGORITHMS
    let mayChange = true
    return {
      texts: 'keys',
      source: {
        idOf: ({ kid }) => kid,
        async read(_narrowing, _position, signal) {
          const answer = await admin.api.read<KeysAnswer>('/admin/keys', signal)
          algorithms = answer.algorithms
          mayChange = answer.mayChange
          // The active keys first.
          return answer.items.toSorted(
            (a, b) => Number(a.status !== 'active') - Number(b.status !== 'active')
          )
        }
      },
      skeleton: 2,
      header: () =>
        html`${admin.refreshButton()}
        ${(admin.isRefused ? [] : algorithms).map((alg) => rotateButton(page, admin, { alg, mayChange }))}`,
      above: () => html`<p class="quiet">${page.t('keys.text')}</p>`,
      columns: () => columns(page, admin, mayChange)
    }
  }
})

registerTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
definePage('oauth-keys', KeysPage)
