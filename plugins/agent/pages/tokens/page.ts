// The Agent tokens page: tokens of programs that act without a person; making, rotating, narrowing and revoking them.
import {
  addedParams,
  apiOf,
  definePage,
  icon,
  KeelsonCopy,
  KeelsonDialog,
  KeelsonDrawer,
  type KeelsonListPage,
  Load,
  listPage,
  type Messages,
  plainName,
  RequestError,
  recordStyles,
  registerCatalog
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { Guide } from '../../guide/guide-answer.ts'
import type { TokenAnswer, TokensAnswer } from '../../operations/token-operations.ts'
import { tokenColumns } from './columns.ts'
import { tokenPanel } from './panel.ts'
import texts from './texts.en.json' with { type: 'json' }
import { pathOf, TokenActs } from './token-acts.ts'

/** The elements bring English along. */
const elements: Messages = {}

type Page = KeelsonListPage<TokenAnswer>

const SIZE = '50'

/** The parts of the page that do something. */
function partsOf(page: Page) {
  const api = apiOf(page)
  let mayGive: TokensAnswer['mayGive'] | undefined
  const guide = new Load(page, {
    quiet: true,
    args: () => [] as const,
    run: (_args, signal) => api.read<Guide>('/guide', signal)
  })
  const acts = new TokenActs(page, { api, guide, mayGive: () => mayGive })
  return {
    api,
    acts,
    /** Until it is known, so that the button does not move others when it comes. */
    mayMake: () => mayGive === undefined || mayGive.length > 0,
    async read(cursor: string | null, signal: AbortSignal | undefined): Promise<TokensAnswer> {
      const query = new URLSearchParams(addedParams({ limit: SIZE, cursor }))
      const answer = await api.read<TokensAnswer>(`/admin/tokens?${query}`, signal)
      mayGive = answer.mayGive
      return answer
    },
    async readOne(id: string, signal: AbortSignal): Promise<TokenAnswer | null> {
      try {
        return (await api.read<{ readonly token: TokenAnswer }>(pathOf(id), signal)).token
      } catch (error) {
        if (error instanceof RequestError && error.status === 404) return null
        throw error
      }
    }
  }
}

const newButton = (page: Page, look: string): TemplateResult =>
  html`<button class=${look} @click=${() => page.go({ dialog: 'new' })}>${page.t('tokens.new')}</button>`

const TokensPage = listPage<TokenAnswer>({
  styles: recordStyles,
  uses: [KeelsonDrawer, KeelsonDialog, KeelsonCopy],
  open(page) {
    const { acts, mayMake, read, readOne } = partsOf(page)
    return {
      texts: 'tokens',
      source: { read: (_narrowing, { cursor }, signal) => read(cursor, signal) },
      // Administrators who may give nothing are not offered to.
      header: () =>
        html`<button class="btn" @click=${() => void page.list.reload()}>
            ${icon('refresh', 14)}${page.t('ui.refresh')}
          </button>
          ${mayMake() ? newButton(page, 'btn primary') : nothing}`,
      emptyAction: () => (mayMake() ? newButton(page, 'btn') : nothing),
      columns: () => tokenColumns(page),
      panel: {
        param: 'token',
        width: 420,
        label: (token) =>
          page.t('tokens.label', { name: token === undefined ? '' : plainName(token.name) }),
        read: readOne,
        view: (token) =>
          tokenPanel({
            token,
            format: page.format,
            t: page.t,
            onRotate: () => page.go({ dialog: 'rotate' }),
            onEdit: () => page.go({ dialog: 'edit' }),
            onRevoke: () => void acts.revoke(token)
          })
      },
      get dialogs() {
        const { new: fresh, ...others } = acts.dialogs
        return mayMake() ? { new: fresh, ...others } : others
      },
      once: () => acts.fresh()
    }
  }
})

registerCatalog('en', elements, { de: () => import('@keelson/ui/german') })
registerCatalog('en', texts, { de: () => import('./texts.de.json', { with: { type: 'json' } }) })
definePage('agent-tokens', TokensPage)
