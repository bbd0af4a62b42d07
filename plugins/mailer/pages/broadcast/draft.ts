// A broadcast while it is composed: changes that are not saved, and saving by revision.
import { type KeelsonPage, RequestError } from '@keelson/ui'
import type { BroadcastDraft } from '../../campaigns/broadcasts/draft-broadcast.ts'
import type { Broadcast } from '../broadcasts/answers.ts'
import type { MailApi } from '../mail-api.ts'

const SAVE_MS = 700

/** The draft that a page edits. */
export class ComposeDraft {
  readonly #page: KeelsonPage
  readonly #api: MailApi
  #slug = ''
  #revision: number | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  state: 'saved' | 'unsaved' | 'saving' | 'conflict' | 'failed' = 'saved'
  problem = ''
  changes: BroadcastDraft = {}
  /** What the last save answered. */
  row: Broadcast | undefined

  constructor(page: KeelsonPage, api: MailApi) {
    this.#page = page
    this.#api = api
  }

  /** Begins with a broadcast as it was read; unsaved changes stay unless `isFresh`. */
  take(row: Broadcast, { isFresh = false } = {}): void {
    const isOther = row.slug !== this.#slug
    this.#slug = row.slug
    if (!isOther && !isFresh && this.state !== 'saved') return
    this.row = row
    this.#revision = row.revision
    this.changes = {}
    this.state = 'saved'
  }

  /** The broadcast with the changes. */
  get edited(): Broadcast | undefined {
    return this.row === undefined ? undefined : ({ ...this.row, ...this.changes } as Broadcast)
  }

  /** Changes fields; `isHeld` keeps them from being saved, as what is not filled yet. */
  change(fields: BroadcastDraft, { isHeld = false } = {}): void {
    this.changes = { ...this.changes, ...fields }
    if (this.state !== 'conflict') this.state = 'unsaved'
    clearTimeout(this.#timer)
    if (!isHeld) this.#timer = setTimeout(() => void this.save(), SAVE_MS)
    this.#page.requestUpdate()
  }

  /** Saves what is not saved. False: it was refused. */
  async save(): Promise<boolean> {
    if (this.state === 'saved') return true
    if (this.state === 'saving' || this.state === 'conflict') return false
    clearTimeout(this.#timer)
    const sent = this.changes
    this.#set('saving')
    try {
      const path = `/broadcasts/${encodeURIComponent(this.#slug)}`
      const answer = await this.#api.revise<Broadcast>('PATCH', path, sent, this.#revision)
      this.#revision = answer.revision
      this.row = answer.body
      const isSame = this.changes === sent
      if (isSame) this.changes = {}
      this.#set(isSame ? 'saved' : 'unsaved')
      return isSame || this.save()
    } catch (error) {
      const isConflict = error instanceof RequestError && error.code === 'draft_conflict'
      this.problem = this.#api.words(error)
      this.#set(isConflict ? 'conflict' : 'failed')
      return false
    }
  }

  #set(state: ComposeDraft['state']): void {
    this.state = state
    this.#page.requestUpdate()
  }
}
