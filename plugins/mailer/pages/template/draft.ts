// The draft of a template while it is edited: changes that are not saved, and saving by revision.
import { type KeelsonPage, RequestError } from '@keelson/ui'
import type { MailApi } from '../mail-api.ts'
import { type Fields, fieldsOf, type TemplateAnswer } from './answers.ts'

/** How long the editor rests before a change is checked and previewed, and before it is saved. */
const CHECK_MS = 300
const SAVE_MS = 1500

/** `conflict`: another editor saved since. `failed`: see `problem`. */
export type SaveState = 'saved' | 'unsaved' | 'saving' | 'conflict' | 'failed'

/** The draft that a page edits. */
export class Draft {
  readonly #page: KeelsonPage
  readonly #api: MailApi
  #row: TemplateAnswer | undefined
  #revision: number | undefined
  #timers: ReturnType<typeof setTimeout>[] = []
  state: SaveState = 'saved'
  problem = ''
  /** Changes that are not saved. */
  changes: Partial<Fields> = {}
  /** Counts what is to be checked and previewed again. */
  stamp = 0
  savedAt: number | undefined

  constructor(page: KeelsonPage, api: MailApi) {
    this.#page = page
    this.#api = api
    page.addController({ hostDisconnected: () => void this.#leave() })
  }

  /** Begins with a template as it was read. */
  take(row: TemplateAnswer): void {
    if (this.#row === row) return
    this.#row = row
    this.#revision = row.revision
    this.changes = {}
    this.state = 'saved'
    this.stamp += 1
  }

  /** The fields with the changes; undefined before the template is read. */
  get fields(): Fields | undefined {
    return this.#row === undefined ? undefined : { ...fieldsOf(this.#row), ...this.changes }
  }

  /** The source that is sent. */
  get language(): 'mjml' | 'html' {
    const { mjml = '', html = '' } = this.fields ?? {}
    return mjml === '' && html !== '' ? 'html' : 'mjml'
  }

  /** Whether there is something to publish. */
  get hasDraft(): boolean {
    return (
      this.#row !== undefined &&
      (this.#row.draft !== null || this.state !== 'saved' || this.savedAt !== undefined)
    )
  }

  /** Changes fields; they are checked and saved when the editor rests. */
  change(fields: Partial<Fields>): void {
    this.changes = { ...this.changes, ...fields }
    this.state = this.state === 'conflict' ? 'conflict' : 'unsaved'
    for (const timer of this.#timers) clearTimeout(timer)
    const check = setTimeout(() => {
      this.stamp += 1
      this.#page.requestUpdate()
    }, CHECK_MS)
    this.#timers = [check, setTimeout(() => void this.save(), SAVE_MS)]
    this.#page.requestUpdate()
  }

  /** Saves what is not saved. False: it was refused. */
  async save({ isForced = false } = {}): Promise<boolean> {
    const row = this.#row
    if (row === undefined || Object.keys(this.changes).length === 0) return this.state === 'saved'
    if (this.state === 'saving' || (this.state === 'conflict' && !isForced)) return false
    const sent = this.changes
    this.#set('saving')
    try {
      const path = `/templates/${encodeURIComponent(row.slug)}/draft`
      const revision = isForced ? undefined : this.#revision
      const answer = await this.#api.revise<unknown>('PATCH', path, sent, revision)
      this.#revision = answer.revision
      this.savedAt = Date.now()
      this.#row = withSaved(row, sent)
      const isSame = this.changes === sent
      this.changes = isSame ? {} : without(this.changes, sent)
      this.#set(isSame ? 'saved' : 'unsaved')
      return isSame || this.save()
    } catch (error) {
      const isConflict = error instanceof RequestError && error.code === 'draft_conflict'
      this.problem = isConflict ? '' : this.#api.words(error)
      this.#set(isConflict ? 'conflict' : 'failed')
      return false
    }
  }

  #set(state: SaveState): void {
    this.state = state
    this.#page.requestUpdate()
  }

  #leave(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    void this.save()
  }
}

/** A row whose draft has what was saved. Pure. */
function withSaved(row: TemplateAnswer, sent: Partial<Fields>): TemplateAnswer {
  const { mjml, html, ...fields } = { ...fieldsOf(row), ...sent }
  const body = { ...(row.draft ?? row).body, mjml, html }
  return { ...row, draft: { ...(row.draft ?? row), ...fields, body } }
}

/** Changes that were made while others were sent. Pure. */
function without(changes: Partial<Fields>, sent: Partial<Fields>): Partial<Fields> {
  const known = sent as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(changes).filter(([name, value]) => known[name] !== value)
  )
}
