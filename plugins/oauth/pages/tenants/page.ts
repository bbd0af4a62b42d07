// The Tenants page: which clients and scopes each tenant allows its people, by the config and by administrators.
import {
  definePage,
  KeelsonDialog,
  type KeelsonListPage,
  type ListDialog,
  listPage,
  recordStyles,
  registerCatalog,
  type TableColumn
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { PoliciesAnswer } from '../../operations/answers.ts'
import { Admin } from '../admin.ts'
import { registerTexts } from '../texts.ts'
import texts from './texts.en.json' with { type: 'json' }

type Policy = PoliciesAnswer['items'][number]
type Page = KeelsonListPage<Policy>

const FIELDS = ['clients', 'hosts', 'scopes'] as const
const pathOf = (tenant: string): string => `/admin/tenants/${encodeURIComponent(tenant)}`

/** A field that is empty limits nothing. */
function policyOf(form: HTMLFormElement): Record<string, readonly string[]> {
  const data = new FormData(form)
  const entries = FIELDS.map((name) => {
    const text = String(data.get(name) ?? '')
    return [name, text.split('\n').flatMap((line) => line.trim() || [])] as const
  })
  return Object.fromEntries(entries.filter(([, lines]) => lines.length > 0))
}

function policyDialog(page: Page, admin: Admin): ListDialog | undefined {
  const named = page.params.get('tenant') ?? ''
  const policy = page.list.rows.find(({ tenant }) => tenant === named)
  // Empty fields, for a policy that is not read yet, would be saved as a policy without limits.
  if (named !== '' && policy === undefined) return undefined
  return {
    width: 560,
    heading: page.t(named === '' ? 'tenants.new' : 'tenants.of', { tenant: named }),
    action: page.t('tenants.save'),
    body: html`${
      named === ''
        ? html`<label class="part"><span>${page.t('tenants.tenant')}</span>
            <input class="field" name="tenant" required maxlength="200" autocomplete="off" /></label>`
        : nothing
    }
      <p class="quiet">${page.t('tenants.text')}</p>
      ${FIELDS.map(
        (name) => html`<label class="part"><span>${page.t(`tenants.${name}`)}</span>
          <textarea class="field mono" name=${name} rows="3" .value=${policy?.set?.[name]?.join('\n') ?? ''}></textarea>
        </label>`
      )}`,
    async send(form) {
      const tenant = named === '' ? String(new FormData(form).get('tenant')) : named
      await admin.api.act('PUT', pathOf(tenant), policyOf(form))
      page.toast({ text: page.t('tenants.saved', { tenant }), tone: 'good' })
      void page.list.reload()
      return { tenant: '' }
    }
  }
}

async function reset(page: Page, admin: Admin, { tenant }: Policy): Promise<void> {
  const isSure = await page.confirm({
    heading: page.t('tenants.resetHeading', { tenant }),
    text: page.t('tenants.resetText'),
    action: page.t('tenants.resetAction')
  })
  if (!isSure || !(await admin.api.attempt(() => admin.api.act('DELETE', pathOf(tenant))))) return
  page.toast({ text: page.t('tenants.resetDone', { tenant }), tone: 'good' })
  await page.list.reload()
}

function columns(page: Page, admin: Admin): TableColumn<Policy>[] {
  const { t } = page
  const limits = (policy: Policy, name: (typeof FIELDS)[number]) => {
    const { configured, set } = policy
    const given = [
      ...(configured?.[name] === undefined
        ? []
        : [t('tenants.byConfig', { names: configured[name].join(', ') })]),
      ...(set?.[name] === undefined ? [] : [set[name].join(', ')])
    ]
    return given.length === 0 ? t('tenants.all') : given.join(' · ')
  }
  const column = (name: (typeof FIELDS)[number]): TableColumn<Policy> => ({
    id: name,
    header: t(`tenants.${name}`),
    hideBelow: name === 'scopes' ? 420 : 640,
    cell: (policy) => limits(policy, name),
    hint: (policy) => limits(policy, name)
  })
  return [
    { id: 'tenant', header: t('tenants.tenant'), mono: true, cell: ({ tenant }) => tenant },
    ...FIELDS.map(column),
    {
      id: 'act',
      header: t('admin.act'),
      width: 140,
      align: 'end',
      cell: (policy) => acts(page, admin, policy)
    }
  ]
}

function acts(page: Page, admin: Admin, policy: Policy): TemplateResult {
  const { tenant, set } = policy
  return html`<button class="link" aria-label=${page.t('tenants.editOf', { tenant })}
      @click=${() => page.go({ dialog: 'policy', tenant })}>${page.t('tenants.edit')}</button>
    ${
      set === undefined
        ? nothing
        : html`<button class="link" aria-label=${page.t('tenants.resetOf', { tenant })}
            @click=${() => void reset(page, admin, policy)}>${page.t('tenants.reset')}</button>`
    }`
}

const TenantsPage = listPage<Policy>({
  styles: recordStyles,
  uses: [KeelsonDialog],
  open(page) {
    const admin = new Admin(page, { namesClients: false, refresh: () => void page.list.reload() })
    let mayAdd = false
    return {
      texts: 'tenants',
      source: {
        idOf: ({ tenant }) => tenant,
        async read(_narrowing, { cursor }, signal) {
          const after = !cursor ? '' : `&after=${encodeURIComponent(cursor)}`
          const answer = await admin.api.read<PoliciesAnswer>(
            `/admin/tenants?limit=50${after}`,
            signal
          )
          mayAdd = answer.mayAdd
          return { items: answer.items, nextCursor: answer.next }
        }
      },
      header: () => html`${admin.refreshButton()}
        ${
          admin.isRefused || !mayAdd
            ? nothing
            : html`<button class="btn primary" @click=${() => page.go({ dialog: 'policy', tenant: '' })}>
              ${page.t('tenants.new')}
            </button>`
        }`,
      above: () => html`<p class="quiet">${page.t('tenants.about')}</p>`,
      columns: () => columns(page, admin),
      dialogs: { policy: () => policyDialog(page, admin) }
    }
  }
})

registerTexts()
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
definePage('oauth-tenants', TenantsPage)
