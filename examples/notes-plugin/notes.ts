// The notes in the database: adding, listing, removing, and posting each to the webhook.
import { randomUUID } from 'node:crypto'
import type { Host, JobRun, Queue } from '@keelson/sdk'
import type { Collection } from 'mongodb'
import { errors } from './errors.ts'
import type { NotesAnswer, NotesConfig } from './schemas.ts'

/** A note as it is stored. It is an item of the queue `announce`, too: one write, and nothing is lost. */
export interface StoredNote {
  readonly _id: string
  readonly tenantId: string
  readonly text: string
  readonly createdAt: Date
}

const LISTED = 100
const DAY_MS = 86_400_000
/** The tenant of viewers who see all tenants. */
const PLATFORM = '*'

export class Notes {
  readonly #host: Host
  readonly #stored: Collection<StoredNote>
  readonly #announcements: Queue<StoredNote>

  constructor(host: Host, { keepDays, webhookUrl }: NotesConfig) {
    this.#host = host
    this.#stored = host.collection<StoredNote>('notes_plugin_notes')
    this.#announcements = host.queue<StoredNote>('announce', (note, run) =>
      this.#announce(note, webhookUrl, run)
    )
    host.job('remove-old-notes', (run) => this.#removeOld(keepDays, run))
  }

  async list(tenantId: string): Promise<NotesAnswer> {
    const allTenants = tenantId === PLATFORM
    const found = await this.#stored
      .find(allTenants ? {} : { tenantId })
      .sort({ createdAt: -1 })
      .limit(LISTED)
      .toArray()
    const items = found.map(({ _id, createdAt, ...note }) => ({
      id: _id,
      tenantId: note.tenantId,
      text: note.text,
      createdAt: createdAt.toISOString()
    }))
    return { items, allTenants }
  }

  async add(tenantId: string, text: string): Promise<{ readonly id: string }> {
    const id = randomUUID()
    const note = { _id: id, tenantId, text, createdAt: this.#host.clock.now() }
    await this.#announcements.add([note])
    return { id }
  }

  /** Repeated until it succeeds: the receiver can tell repetitions by the id. */
  async #announce(
    { _id: id, text }: StoredNote,
    url: string | undefined,
    { signal }: JobRun
  ): Promise<void> {
    if (url === undefined) return
    const response = await this.#host.fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id, text }),
      signal
    })
    await response.body?.cancel()
    if (!response.ok) throw errors.NOTE_WEBHOOK_REFUSED({ status: response.status })
  }

  async #removeOld(keepDays: number, { log }: JobRun): Promise<void> {
    const before = new Date(this.#host.clock.now().getTime() - keepDays * DAY_MS)
    const { deletedCount } = await this.#stored.deleteMany({ createdAt: { $lt: before } })
    if (deletedCount > 0) log.info({ deletedCount }, 'old notes were removed')
  }
}
