// What the Agent tokens page does: the dialogs with what they send, revoking after a question, the secret shown once.
import {
  type Api,
  type KeelsonListPage,
  type ListDialog,
  type Load,
  type ParamChanges,
  plainName
} from '@keelson/ui'
import { nothing, type TemplateResult } from 'lit'
import type { Guide } from '../../guide/guide-answer.ts'
import type {
  FreshTokenAnswer,
  TokenAnswer,
  TokensAnswer
} from '../../operations/token-operations.ts'
import { reachedAt } from '../reached-at.ts'
import { createForm, editForm, rotateForm, tokenBody } from './forms.ts'
import { freshDialog } from './fresh-dialog.ts'
import { scopeWords } from './words.ts'

type Page = KeelsonListPage<TokenAnswer>

/** The address of a token below the API. */
export const pathOf = (id: string): string => `/admin/tokens/${encodeURIComponent(id)}`

export interface TokenActsOptions {
  readonly api: Pick<Api, 'act' | 'attempt'>
  readonly guide: Pick<Load<readonly [], Guide>, 'value'>
  /** Undefined until it is known. */
  mayGive(): TokensAnswer['mayGive'] | undefined
}

export class TokenActs {
  readonly #page: Page
  readonly #options: TokenActsOptions
  /** A token with its new secret: kept only until the dialog is closed. */
  #fresh: (FreshTokenAnswer & { readonly isNew: boolean }) | undefined

  constructor(page: Page, options: TokenActsOptions) {
    this.#page = page
    this.#options = options
  }

  /** By the value of the parameter `dialog`. */
  readonly dialogs = {
    new: (): ListDialog | undefined => {
      const mayGive = this.#options.mayGive()
      if (mayGive === undefined) return undefined
      return {
        ...createForm(this.#page, mayGive),
        send: async (form) => {
          const body = tokenBody(form, this.#page.t)
          return this.#show(await this.#act('POST', '/admin/tokens', body), true)
        }
      }
    },
    edit: (): ListDialog | undefined =>
      this.#opened((token) => ({
        ...editForm(this.#page, token),
        send: async (form) => {
          await this.#act('PATCH', pathOf(token.id), tokenBody(form, this.#page.t))
          void this.#page.list.reload()
          return {}
        }
      })),
    rotate: (): ListDialog | undefined =>
      this.#opened((token) => ({
        ...rotateForm(this.#page.t, token),
        send: async (form) => {
          const retireAfter = Number(new FormData(form).get('grace'))
          const path = `${pathOf(token.id)}/rotate`
          return this.#show(await this.#act('POST', path, { retireAfter }), false)
        }
      }))
  }

  async revoke(token: TokenAnswer): Promise<void> {
    const page = this.#page
    const name = plainName(token.name)
    const { lastUsedAt } = token
    const used =
      lastUsedAt === undefined
        ? page.t('revoke.unused')
        : page.t('revoke.used', { time: page.format.relative(lastUsedAt) })
    const isSure = await page.confirm({
      heading: page.t('revoke.heading', { name }),
      text: `${page.t('revoke.text', { scopes: scopeWords(token, page.t) })} ${used}`,
      action: page.t('revoke.action'),
      tone: 'bad'
    })
    if (!isSure) return
    await this.#options.api.attempt(async () => {
      await this.#options.api.act('POST', `${pathOf(token.id)}/revoke`)
      page.toast({ text: page.t('revoke.done', { name }) })
      void page.list.reload()
    })
  }

  /** What was just made, with its secret. */
  fresh(): TemplateResult | typeof nothing {
    const fresh = this.#fresh
    const guide = this.#options.guide.value
    if (fresh === undefined) return nothing
    const reached = { apiBase: this.#page.apiBase, publicUrl: guide?.publicUrl ?? null }
    return freshDialog({
      ...fresh,
      endpoints: guide && {
        api: reachedAt(reached, guide.apiPath),
        mcp: reachedAt(reached, guide.mcpPath)
      },
      t: this.#page.t,
      onClose: () => {
        this.#fresh = undefined
        this.#page.requestUpdate()
      }
    })
  }

  #opened(dialog: (token: TokenAnswer) => ListDialog): ListDialog | undefined {
    const { open } = this.#page.list
    return open ? dialog(open) : undefined
  }

  #act(method: string, path: string, body: object): Promise<FreshTokenAnswer> {
    return this.#options.api.act<FreshTokenAnswer>(method, path, body)
  }

  #show(fresh: FreshTokenAnswer, isNew: boolean): ParamChanges {
    this.#fresh = { ...fresh, isNew }
    void this.#page.list.reload()
    return {}
  }
}
