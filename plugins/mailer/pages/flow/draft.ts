// The draft of a flow while it is edited: undo, saving by revision as it changes, and conflicts.
import { RequestError } from '@keelson/ui'
import type { ReactiveController, ReactiveControllerHost } from 'lit'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { changed, type History, newHistory, redone, undone } from '../undo.ts'

type Steps = readonly FlowStep[]

/** What a draft is saved with. */
export interface DraftOptions {
  /** Saves for the revision; answers the next one. @throws RequestError */
  save(steps: Steps, revision: number | undefined): Promise<number>
}

/** Where saving is. */
export type SaveState = 'saved' | 'waiting' | 'saving' | 'failed' | 'conflict'

/** Pause in typing before a save. */
const PAUSE_MS = 400

/** Edits are kept here until they are saved; a conflict stops saving until it is decided. */
export class Draft implements ReactiveController {
  readonly #host: ReactiveControllerHost
  readonly #options: DraftOptions
  #history: History<Steps> | undefined
  #revision: number | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #saving: Promise<void> | undefined
  state: SaveState = 'saved'
  /** Why the last save failed. */
  error: unknown

  constructor(host: ReactiveControllerHost, options: DraftOptions) {
    this.#host = host
    this.#options = options
    host.addController(this)
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer)
    removeEventListener('beforeunload', this.#onLeave)
  }

  hostConnected(): void {
    addEventListener('beforeunload', this.#onLeave)
  }

  /** Edits that are not saved are not left without a question of the browser. */
  readonly #onLeave = (event: BeforeUnloadEvent): void => {
    if (this.state !== 'saved') event.preventDefault()
  }

  /** The steps as edited; undefined before `open`. */
  get steps(): Steps | undefined {
    return this.#history?.present
  }

  get canUndo(): boolean {
    return (this.#history?.past.length ?? 0) > 0
  }

  get canRedo(): boolean {
    return (this.#history?.future.length ?? 0) > 0
  }

  /** Takes what the server has, unless edits of this page are on their way there. */
  open(steps: Steps, revision: number): void {
    if (this.state !== 'saved') return
    this.#revision = revision
    const isSame = JSON.stringify(steps) === JSON.stringify(this.steps)
    if (!isSame) this.#history = newHistory(steps)
  }

  /** Another revision with the same steps: a rename, a pause. */
  rebase(revision: number): void {
    this.#revision = revision
  }

  /** Changes with the same `about` are undone together. */
  change(steps: Steps, about?: string): void {
    if (this.#history === undefined || steps === this.steps) return
    this.#set(changed(this.#history, steps, about))
  }

  undo(): void {
    if (this.#history !== undefined && this.canUndo) this.#set(undone(this.#history))
  }

  redo(): void {
    if (this.#history !== undefined && this.canRedo) this.#set(redone(this.#history))
  }

  /** Forgets the edits for what the server has; undo brings them back. */
  take(steps: Steps, revision: number): void {
    clearTimeout(this.#timer)
    this.#revision = revision
    if (this.#history !== undefined) this.#history = changed(this.#history, steps)
    this.#show('saved')
  }

  /** Saves over what others did since. */
  async overwrite(revision: number): Promise<void> {
    this.#revision = revision
    await this.flush()
  }

  /** Saves now what is not saved. Resolves when it is, or when it failed: see `state`. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#saving
    if (this.state === 'saved') return
    this.#saving = this.#save()
    await this.#saving
    this.#saving = undefined
  }

  #set(history: History<Steps>): void {
    this.#history = history
    if (this.state === 'conflict') {
      this.#host.requestUpdate()
      return
    }
    this.#show('waiting')
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.flush(), PAUSE_MS)
  }

  async #save(): Promise<void> {
    const { steps = [] } = this
    this.#show('saving')
    try {
      this.#revision = await this.#options.save(steps, this.#revision)
      this.error = undefined
      if (this.steps === steps) this.#show('saved')
      else this.#set(this.#history as History<Steps>)
    } catch (error) {
      this.error = error
      const isConflict = error instanceof RequestError && error.code === 'draft_conflict'
      this.#show(isConflict ? 'conflict' : 'failed')
    }
  }

  #show(state: SaveState): void {
    this.state = state
    this.#host.requestUpdate()
  }
}
