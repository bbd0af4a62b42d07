// A draft of a page: saved as it is edited, before the page is left, and never over what another editor saved.
import { html, nothing, type ReactiveController, type TemplateResult } from 'lit'
import { holdPage, type Unsaved } from '../controllers/unsaved.ts'
import { errorText, RequestError } from '../elements/error/message.ts'
import type { KeelsonPage } from '../keelson-page.ts'
import { registerDraftTexts } from '../locales/draft-texts.ts'
import { SignInEvent } from '../page.ts'
import {
  canSend,
  changed,
  type DraftPhase,
  type DraftState,
  editedFields,
  isUnsaved,
  keptMine,
  opened,
  readAgain,
  refused,
  saved,
  sending,
  shownPhase
} from './draft-state.ts'

/** Pause in typing before a save, and how long a page that is left waits for one, in milliseconds. */
const PAUSE_MS = 500
const LEAVE_MS = 4000
/** Requests that outlive the page carry 64 KiB together: https://fetch.spec.whatwg.org/#http-network-or-cache-fetch */
const MOST_BYTES = 60_000
const TONES: Partial<Record<DraftPhase, string>> = { conflict: 'tag warn', failed: 'tag bad' }

/** What the server has. */
export interface DraftRow<Fields extends object> {
  readonly fields: Fields
  /** Sent with the next save, which the server refuses when it has another one by then. */
  readonly revision: number | undefined
}

/** How changes are sent. */
export interface DraftRequest {
  /** The revision that the changes were made on. */
  readonly revision: number | undefined
  /** The call must go on when the page is gone: `keepalive` of `fetch`. */
  readonly keepalive: boolean
}

/** What a draft is read and saved with. */
export interface DraftOptions<Fields extends object> {
  /**
   * Saves changes. It throws a `RequestError` with the status 412 or the code `draft_conflict` when the server has
   * another revision. Without `fields` in the answer the server has what was sent.
   */
  save(
    changes: Partial<Fields>,
    request: DraftRequest
  ): Promise<Partial<Pick<DraftRow<Fields>, 'fields'>> & Pick<DraftRow<Fields>, 'revision'>>
  /** Reads what the server has, after a conflict. */
  read(): Promise<DraftRow<Fields>>
  /** One sentence about an error. Default: `errorText`. */
  words?(error: unknown): string
}

/**
 * Fields that are saved while they are edited. Show `status()` in the header and `notice()` after the content. What
 * could not be saved stays, is tried again when the window is shown or the network is back, and is asked about before
 * the page is left.
 */
export class Draft<Fields extends object> implements ReactiveController, Unsaved {
  readonly #page: KeelsonPage
  readonly #options: DraftOptions<Fields>
  #state: DraftState<Fields> | undefined
  /** What the draft is of, as the page names it. */
  #key = ''
  #path = ''
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving: Promise<void> | undefined
  #release: (() => void) | undefined

  constructor(page: KeelsonPage, options: DraftOptions<Fields>) {
    this.#page = page
    this.#options = options
    registerDraftTexts()
    page.addController(this)
  }

  hostConnected(): void {
    this.#release = holdPage(this.#page, this)
    addEventListener('beforeunload', this.#onUnload)
    addEventListener('pagehide', this.#flush)
    addEventListener('online', this.#retry)
    document.addEventListener('visibilitychange', this.#retry)
  }

  hostDisconnected(): void {
    this.#release?.()
    removeEventListener('beforeunload', this.#onUnload)
    removeEventListener('pagehide', this.#flush)
    removeEventListener('online', this.#retry)
    document.removeEventListener('visibilitychange', this.#retry)
    void this.flush()
  }

  /** Takes what the server has. Edits that are not saved stay, unless `key` names another thing than before. */
  take(key: string, { fields, revision }: DraftRow<Fields>): void {
    const isSame = key === this.#key && this.#state !== undefined
    this.#key = key
    this.#path = this.#pathNow
    this.#state =
      isSame && this.#state ? readAgain(this.#state, fields, revision) : opened(fields, revision)
  }

  /** The fields as they are edited; undefined before `take`. */
  get fields(): Fields | undefined {
    return this.#state && editedFields(this.#state)
  }

  /** Edits that the server does not have. */
  get changes(): Partial<Fields> {
    const { sent = {}, changes = {}, held = {} } = this.#state ?? {}
    return { ...sent, ...changes, ...held }
  }

  /** The revision that was read or saved last. */
  get revision(): number | undefined {
    return this.#state?.revision
  }

  /** What the reader is shown of saving. */
  get phase(): DraftPhase {
    return this.#state === undefined ? 'saved' : shownPhase(this.#state)
  }

  /** Edits fields. `isHeld`: they cannot be sent yet; undefined takes back what was held. */
  change(fields: Partial<Fields>, { isHeld = false } = {}): void {
    if (this.#state === undefined) return
    this.#set(changed(this.#state, fields, isHeld))
    this.#plan()
  }

  /** Saves now what is not saved. False: something is left. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer)
    while (this.#saving !== undefined || (this.#state && canSend(this.#state))) {
      this.#saving ??= this.#save()
      await this.#saving
      if (this.#state?.phase === 'failed') break
    }
    return this.#state === undefined || !isUnsaved(this.#state)
  }

  /** Saves these edits over what another editor saved. */
  async keepMine(): Promise<void> {
    await this.#resolve(({ fields, revision }) => {
      if (this.#state) this.#set(keptMine(this.#state, fields, revision))
    })
    await this.flush()
  }

  /** Gives these edits up for what another editor saved. */
  async takeTheirs(): Promise<void> {
    await this.#resolve(({ fields, revision }) => {
      this.onTheirs(fields)
      this.#set(opened(fields, revision))
    })
  }

  /** Called when the viewer chose what another editor saved, before it is shown. */
  protected onTheirs(_fields: Fields): void {}

  /** Whether edits are lost at an address: not where the page stays the same. */
  isLostAt(to: URL): boolean {
    return this.#state !== undefined && isUnsaved(this.#state) && to.pathname !== this.#path
  }

  /** Saves, and asks when that fails or takes too long. */
  async settle(): Promise<boolean> {
    const late = new Promise((resolve) => setTimeout(resolve, LEAVE_MS))
    await Promise.race([this.flush(), late])
    if (this.#state === undefined || !isUnsaved(this.#state)) return true
    const { t } = this.#page
    const isSure = await this.#page.confirm({
      heading: t('draft.leave'),
      text: this.reason,
      action: t('draft.leaveAction'),
      tone: 'bad'
    })
    if (isSure) this.#state = opened(this.#state.base, this.#state.revision)
    return isSure
  }

  /** Whether it is saved, in words: for the slot `tags` of the page header. */
  status(isShown = true): TemplateResult {
    const { phase } = this
    const words = isShown || phase !== 'saved' ? this.#page.t(`draft.${phase}`) : nothing
    return html`<span slot="tags" class="saved ${TONES[phase] ?? 'dim'}" role="status">${words}</span>`
  }

  /** Why it is not saved, and what to do. */
  notice(): TemplateResult | typeof nothing {
    const { t } = this.#page
    const { error, phase } = this.#state ?? {}
    if (phase === 'conflict')
      return html`<keelson-error banner heading=${t('draft.conflictHeading')} text=${t('draft.conflictText')}>
        <button class="btn" @click=${() => void this.takeTheirs()}>${t('draft.takeTheirs')}</button>
        <button class="btn primary" @click=${() => void this.keepMine()}>${t('draft.keepMine')}</button>
      </keelson-error>`
    if (phase !== 'failed') return nothing
    const { signIn } = error as Partial<RequestError>
    return html`<keelson-error banner retry heading=${t('draft.failedHeading')} text=${this.reason} @keelson-retry=${this.#flush}>
      ${signIn === undefined ? nothing : html`<a class="btn" target="_blank" href=${signIn}>${t('error.signIn')}</a>`}
    </keelson-error>`
  }

  /** Why edits are not saved, in a sentence. */
  get reason(): string {
    const { t } = this.#page
    const { error, phase } = this.#state ?? {}
    if (phase === 'conflict') return t('draft.conflictText')
    if (phase !== 'failed') return t(phase === 'saved' ? 'draft.heldText' : 'draft.lateText')
    if ((error as Partial<RequestError>).status === 401) return t('draft.signedOut')
    const { words = (given: unknown) => errorText(given, t) } = this.#options
    return `${words(error)} ${t('draft.keptText')}`
  }

  get #pathNow(): string {
    return new URL(this.#page.address(), location.href).pathname
  }

  readonly #flush = (): void => void this.flush()

  readonly #retry = (): void => {
    if (this.#state?.phase === 'failed' && document.visibilityState === 'visible') void this.flush()
  }

  /** The browser asks about what cannot be sent while the document goes away. */
  readonly #onUnload = (event: BeforeUnloadEvent): void => {
    const state = this.#state
    if (state === undefined || !isUnsaved(state)) return
    const isStuck = state.phase === 'failed' || state.phase === 'conflict'
    const isBehind = state.phase === 'saving' && Object.keys(state.changes).length > 0
    const isHeld = Object.keys(state.held).length > 0
    const isLarge = !fitsKeepalive({ ...state.sent, ...state.changes })
    void this.flush()
    if (isStuck || isBehind || isHeld || isLarge) event.preventDefault()
  }

  #set(state: DraftState<Fields>): void {
    this.#state = state
    this.#page.requestUpdate()
  }

  #plan(): void {
    clearTimeout(this.#timer)
    if (this.#state && canSend(this.#state)) this.#timer = setTimeout(this.#flush, PAUSE_MS)
  }

  async #save(): Promise<void> {
    const before = this.#state as DraftState<Fields>
    const { changes, revision } = before
    const key = this.#key
    this.#set(sending(before))
    try {
      const request = { revision, keepalive: fitsKeepalive(changes) }
      const answer = await this.#options.save(changes, request)
      if (key !== this.#key || this.#state === undefined) return
      this.#set(saved(this.#state, answer.revision, answer.fields))
    } catch (error) {
      if (key === this.#key && this.#state)
        this.#set(refused(this.#state, error, isConflict(error)))
      if ((error as Partial<RequestError>).status === 401)
        this.#page.dispatchEvent(new SignInEvent())
    } finally {
      this.#saving = undefined
    }
  }

  async #resolve(take: (row: DraftRow<Fields>) => void): Promise<void> {
    try {
      take(await this.#options.read())
    } catch (error) {
      const { words = (given: unknown) => errorText(given, this.#page.t) } = this.#options
      this.#page.toast({ text: words(error), tone: 'bad' })
    }
  }
}

const isConflict = (error: unknown): boolean =>
  error instanceof RequestError && (error.status === 412 || error.code === 'draft_conflict')

const fitsKeepalive = (changes: object): boolean =>
  new TextEncoder().encode(JSON.stringify(changes)).length < MOST_BYTES
