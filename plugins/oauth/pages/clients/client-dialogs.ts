// What the dialogs of the Clients page do: the draft of the form, what they send, and the secret that is shown once.
import {
  type Api,
  type KeelsonListPage,
  type ListDialog,
  type Load,
  type ParamChanges,
  plainName
} from '@keelson/ui'
import { nothing, type ReactiveController, type TemplateResult } from 'lit'
import type { ClientAnswer } from '../../clients/client-schema.ts'
import type { OptionsAnswer } from '../../operations/answers.ts'
import { accessOf, changedAccess, emptyAccess } from './access-draft.ts'
import type { FreshClient } from './answer.ts'
import { pathOf } from './client-acts.ts'
import { freshDialog, rotateForm } from './client-dialog.ts'
import { clientForm } from './client-form.ts'
import {
  type ClientDraft,
  changeBody,
  createBody,
  draftOf,
  emptyDraft,
  limitBody,
  withPreset
} from './draft.ts'

type Page = KeelsonListPage<ClientAnswer>

export interface ClientDialogsOptions {
  readonly api: Pick<Api, 'act'>
  readonly options: Pick<Load<readonly [], OptionsAnswer>, 'value'>
}

/** A draft begins with its dialog and ends with it. */
export class ClientDialogs implements ReactiveController {
  readonly #page: Page
  readonly #api: ClientDialogsOptions['api']
  readonly #options: ClientDialogsOptions['options']
  #draft: ClientDraft | undefined
  /** A client with its new secret: kept only until the dialog is closed. */
  #fresh: (FreshClient & { readonly isNew: boolean }) | undefined

  constructor(page: Page, { api, options }: ClientDialogsOptions) {
    this.#page = page
    this.#api = api
    this.#options = options
    page.addController(this)
  }

  hostUpdate(): void {
    if (!this.#page.params.has('dialog')) this.#draft = undefined
  }

  /** By the value of the parameter `dialog`. */
  readonly all = {
    new: (): ListDialog | undefined => this.#form(undefined),
    edit: (): ListDialog | undefined => this.#opened((client) => this.#form(client)),
    rotate: (): ListDialog | undefined => this.#opened((client) => this.#rotate(client))
  }

  #opened<T>(dialog: (client: ClientAnswer) => T): T | undefined {
    const { open } = this.#page.list
    return open ? dialog(open) : undefined
  }

  #set(draft: ClientDraft): void {
    this.#draft = draft
    this.#page.requestUpdate()
  }

  #form(client: ClientAnswer | undefined): ListDialog | undefined {
    const options = this.#options.value
    if (options === undefined) return undefined
    this.#draft ??= client === undefined ? emptyDraft(options) : draftOf(client)
    const draft = this.#draft
    const form = clientForm({
      t: this.#page.t,
      draft,
      options,
      faults: this.#page.faults,
      isLimited: client?.registration === 'cimd',
      changes: client && plainName(client.name),
      onDraft: (next) => this.#set(next),
      onPreset: (id) => this.#set(withPreset(draft, id, options.presets))
    })
    const send = () => (client === undefined ? this.#create(draft) : this.#change(client, draft))
    return { ...form, send }
  }

  async #create(draft: ClientDraft): Promise<ParamChanges> {
    const body = { ...createBody(draft), ...changedAccess(draft, emptyAccess) }
    const fresh = await this.#api.act<FreshClient>('POST', '/admin/clients', body)
    this.#fresh = { ...fresh, isNew: true }
    void this.#page.list.reload()
    return {}
  }

  async #change(client: ClientAnswer, draft: ClientDraft): Promise<ParamChanges> {
    const body = client.registration === 'cimd' ? limitBody(draft) : changeBody(draft)
    const access = changedAccess(draft, accessOf(client))
    await this.#api.act('PATCH', pathOf(client.clientId), { ...body, ...access })
    const { t } = this.#page
    const text = t('client.savedToast', { name: plainName(draft.name) })
    this.#page.toast({ text, tone: 'good' })
    void this.#page.list.reload()
    return {}
  }

  #rotate({ clientId, name }: ClientAnswer): ListDialog {
    return {
      ...rotateForm(name, this.#page.t),
      send: async (form) => {
        const fields = new FormData(form)
        const label = String(fields.get('label') ?? '').trim()
        const body = { retireAfter: Number(fields.get('grace')), ...(label !== '' && { label }) }
        const path = `${pathOf(clientId)}/rotate-secret`
        this.#fresh = { ...(await this.#api.act<FreshClient>('POST', path, body)), isNew: false }
        void this.#page.list.reload()
        return {}
      }
    }
  }

  /** What was just made, with its secret. */
  fresh(): TemplateResult | typeof nothing {
    const fresh = this.#fresh
    if (fresh === undefined) return nothing
    return freshDialog({
      fresh,
      isNew: fresh.isNew,
      issuer: this.#options.value?.issuer ?? '',
      t: this.#page.t,
      onClose: () => {
        this.#fresh = undefined
        this.#page.requestUpdate()
      }
    })
  }
}
