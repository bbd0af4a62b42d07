// What ends or begins the access of a client, each after a question: disable, enable, delete.
import { type Api, type KeelsonPage, plainName } from '@keelson/ui'
import type { ClientAnswer } from '../../clients/client-schema.ts'
import type { EndedAccessAnswer } from '../../operations/answers.ts'

/** The address of a client below the API. */
export const pathOf = (clientId: string): string => `/admin/clients/${encodeURIComponent(clientId)}`

export interface ClientActsOptions {
  readonly api: Pick<Api, 'act' | 'attempt'>
  onChanged(): void
  onRemoved(): void
}

export class ClientActs {
  readonly #page: KeelsonPage
  readonly #options: ClientActsOptions

  constructor(page: KeelsonPage, options: ClientActsOptions) {
    this.#page = page
    this.#options = options
  }

  disable(client: ClientAnswer): Promise<void> {
    const path = `${pathOf(client.clientId)}/disable`
    return this.#end('disable', client, { method: 'POST', path })
  }

  remove(client: ClientAnswer): Promise<void> {
    return this.#end('delete', client, { method: 'DELETE', path: pathOf(client.clientId) })
  }

  async enable(client: ClientAnswer): Promise<void> {
    const { api, onChanged } = this.#options
    await api.attempt(async () => {
      await api.act('POST', `${pathOf(client.clientId)}/enable`)
      const text = this.#page.t('client.enabledToast', { name: plainName(client.name) })
      this.#page.toast({ text })
      onChanged()
    })
  }

  async #end(
    act: 'disable' | 'delete',
    client: ClientAnswer,
    { method, path }: { readonly method: 'POST' | 'DELETE'; readonly path: string }
  ): Promise<void> {
    const page = this.#page
    const { api, onChanged, onRemoved } = this.#options
    const name = plainName(client.name)
    const isSure = await page.confirm({
      heading: page.t(`client.${act}Heading`, { name }),
      text: page.t(`client.${act}Text`),
      action: page.t(`client.${act}Action`),
      tone: 'bad'
    })
    if (!isSure) return
    await api.attempt(async () => {
      const { grantsRevoked } = await api.act<EndedAccessAnswer>(method, path)
      page.toast({ text: page.t(`client.${act}dToast`, { name, count: grantsRevoked }) })
      if (act === 'delete') onRemoved()
      else onChanged()
    })
  }
}
