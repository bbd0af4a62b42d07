// The draft of a flow: its steps with undo, and what was typed into their fields and cannot be read.
import { Draft, type DraftRequest, type DraftRow, type KeelsonPage } from '@keelson/ui'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { changed, type History, newHistory, redone, undone } from '../undo.ts'
import type { FlowAnswer } from './answers.ts'
import { stepsOfDraft } from './step-forms.ts'

type Steps = readonly FlowStep[]

/** What is edited. */
export interface FlowFields {
  readonly steps: Steps
  /** Texts that are not valid values yet, by the path of their step and field. */
  readonly unread?: Readonly<Record<string, string>> | undefined
}

/** A flow as a draft takes it. Pure. */
export const rowOf = ({ draft, steps, revision }: FlowAnswer): DraftRow<FlowFields> => ({
  fields: { steps: stepsOfDraft(draft?.steps ?? steps) },
  revision
})

/** What a draft is read and saved with. */
export interface FlowDraftOptions {
  /** Saves for the revision; answers the next one. @throws RequestError */
  save(steps: Steps, request: DraftRequest): Promise<number | undefined>
  read(): Promise<DraftRow<FlowFields>>
  words(error: unknown): string
}

/** Steps that are saved as they are edited, and can be undone. */
export class FlowDraft extends Draft<FlowFields> {
  #history: History<Steps> | undefined

  constructor(page: KeelsonPage, { save, ...options }: FlowDraftOptions) {
    super(page, {
      ...options,
      save: async ({ steps = [] }, request) => ({ revision: await save(steps, request) })
    })
  }

  /** The steps as edited; undefined before `take`. */
  get steps(): Steps | undefined {
    return this.#history?.present
  }

  get canUndo(): boolean {
    return (this.#history?.past.length ?? 0) > 0
  }

  get canRedo(): boolean {
    return (this.#history?.future.length ?? 0) > 0
  }

  override take(key: string, row: DraftRow<FlowFields>): void {
    super.take(key, row)
    const steps = this.fields?.steps ?? []
    const isSame = JSON.stringify(steps) === JSON.stringify(this.steps)
    if (!isSame) this.#history = newHistory(steps)
  }

  /** What another editor saved takes the place of the edits; undo brings them back. */
  protected override onTheirs({ steps }: FlowFields): void {
    if (this.#history !== undefined) this.#history = changed(this.#history, steps)
  }

  /** Changes with the same `about` are undone together. */
  edit(steps: Steps, about?: string): void {
    if (this.#history !== undefined && steps !== this.steps)
      this.#set(changed(this.#history, steps, about))
  }

  undo(): void {
    if (this.#history !== undefined && this.canUndo) this.#set(undone(this.#history))
  }

  redo(): void {
    if (this.#history !== undefined && this.canRedo) this.#set(redone(this.#history))
  }

  /** The text of a field that is not a valid value; undefined for none. */
  unread(name: string): string | undefined {
    return this.fields?.unread?.[name]
  }

  /** Keeps a text that is not a valid value, or forgets it. It is not saved, but asked about before it is lost. */
  keepUnread(name: string, text: string | undefined): void {
    const { [name]: before, ...others } = this.fields?.unread ?? {}
    if (text === before) return
    const unread = text === undefined ? others : { ...others, [name]: text }
    const isNone = Object.keys(unread).length === 0
    this.change({ unread: isNone ? undefined : unread }, { isHeld: true })
  }

  #set(history: History<Steps>): void {
    this.#history = history
    this.change({ steps: history.present })
  }
}
