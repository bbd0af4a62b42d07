// Many mails at once on the Sends page: failed ones are sent again, unknown ones resolved, behind a typed number.
import {
  type KeelsonListPage,
  type ListDialog,
  Load,
  type Narrowing,
  RequestError
} from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { SendLine } from '../contact/timeline.ts'
import { type MailApi, queryOf } from '../mail-api.ts'
import { isTyped, type TypedCount, typedCount } from '../typed-count.ts'
import type { SendDetail, Verdict } from './panel.ts'
import { selectionOf } from './selection.ts'

/** What a change of many mails is about. */
type Act = 'retry' | 'resolve'

interface OpenSends {
  readonly failed: number
  readonly unknown: number
}

const VERDICTS: readonly Verdict[] = ['sent', 'not_sent', 'resend']

/** Failed and unknown mails of the list that is shown, and the dialogs about all of them. */
export class ManySends {
  readonly #page: KeelsonListPage<SendLine, SendDetail>
  readonly #api: MailApi
  readonly #open: Load<readonly [string], OpenSends>
  #typed = ''
  #hasChanged = false

  constructor(page: KeelsonListPage<SendLine, SendDetail>, api: MailApi) {
    this.#page = page
    this.#api = api
    this.#open = new Load(page, {
      quiet: true,
      args: () => (this.#act === undefined ? null : ([queryOf(this.#filter)] as const)),
      run: ([query], signal) => api.read<OpenSends>(`/sends/open?${query}`, signal)
    })
  }

  /** The list shows failed mails, or unknown ones. */
  get #act(): Act | undefined {
    const status = this.#page.params.get('status')
    if (status === 'failed') return 'retry'
    return status === 'unknown' ? 'resolve' : undefined
  }

  get #filter(): Narrowing {
    const { status: _status, ...filter } = this.#page.list.narrowing
    return selectionOf(filter, this.#page.format.timeZone)
  }

  get #count(): number | undefined {
    const counts = this.#open.value
    return this.#act === 'retry' ? counts?.failed : counts?.unknown
  }

  /** How many there are, and the button. */
  note(): TemplateResult | typeof nothing {
    const act = this.#act
    const count = this.#count
    if (act === undefined || count === undefined || count === 0) return nothing
    const { t } = this.#page
    return html`<div class="notice" role="status">${t(`sends.${act}Note`, { count })}
      <a class="btn push" role="button" href=${this.#page.address({ dialog: act })}>${t(`sends.${act}Many`)}</a></div>`
  }

  /** Of the address that `note` leads to. */
  readonly dialogs: Readonly<Record<Act, () => ListDialog | undefined>> = {
    retry: () => this.#dialog('retry'),
    resolve: () => this.#dialog('resolve')
  }

  #dialog(act: Act): ListDialog | undefined {
    const { t } = this.#page
    if (act !== this.#act) return undefined
    const field: TypedCount = {
      expected: this.#count,
      typed: this.#typed,
      hasChanged: this.#hasChanged,
      onTyped: (text) => {
        this.#typed = text
        this.#page.requestUpdate()
      }
    }
    const choice = (verdict: Verdict) =>
      html`<label class="choice"><input type="radio" name="as" value=${verdict} required /><span>${t(`sends.resolve.${verdict}`)}</span></label>`
    const what =
      act === 'retry'
        ? html`<p>${t('sends.retryText')}</p>`
        : html`<p>${t('sends.resolveManyText')}</p><fieldset>${VERDICTS.map(choice)}</fieldset>`
    return {
      heading:
        this.#count === undefined
          ? t(`sends.${act}Many`)
          : t(`sends.${act}ManyHeading`, { count: this.#count }),
      action: t(`sends.${act}Many`),
      isLocked: !isTyped(field),
      body: html`${what}${typedCount(field, t('mail.typeMails'), t)}`,
      send: (form) => this.#send(act, form)
    }
  }

  async #send(act: Act, form: HTMLFormElement): Promise<Record<string, never> | null> {
    const as = new FormData(form).get('as')
    const confirmedCount = Number(this.#typed)
    const body = { filter: this.#filter, confirmedCount, ...(act === 'resolve' && { as }) }
    try {
      await this.#api.act('POST', `/sends/${act}`, body)
    } catch (error) {
      if (!(error instanceof RequestError) || error.code !== 'count_mismatch') throw error
      this.#hasChanged = true
      await this.#open.reload()
      return null
    }
    this.#typed = ''
    this.#hasChanged = false
    const { t } = this.#page
    this.#page.toast({ text: t(`sends.${act}Done`, { count: confirmedCount }), tone: 'good' })
    await Promise.all([this.#page.list.reload(), this.#open.reload()])
    return {}
  }
}
