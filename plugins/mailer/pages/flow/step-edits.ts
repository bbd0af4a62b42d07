// What people do to steps, by key and by button: each edit goes into the draft, and the focus follows.
import { type KeelsonPage, Shortcuts } from '@keelson/ui'
import { stepAt } from '../../ledger/flow-paths.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { dragCard } from '../drag.ts'
import type { FlowDraft } from './draft.ts'
import {
  duplicateStep,
  type EditedSteps,
  insertStep,
  moveStep,
  moveStepTo,
  pathOf,
  placeOf,
  removeStep,
  replaceStep
} from './edit-steps.ts'
import { movedTo } from './move-focus.ts'
import { newStep, type StepType } from './step-forms.ts'

/** What edits need of the page. */
export interface EditTarget {
  readonly draft: FlowDraft
  /** The canvas is shown, and the draft may be changed. */
  isEditable(): boolean
  /** The path whose panel is open; null for none. */
  selected(): string | null
}

/** The card that keys start from, and what they do with it. */
export class StepEdits {
  readonly #page: KeelsonPage
  readonly #target: EditTarget
  #active = '0'
  /** The card that gets the focus with the next update. */
  #wanted: string | undefined

  constructor(page: KeelsonPage, target: EditTarget) {
    this.#page = page
    this.#target = target
    page.addController({ hostUpdated: () => this.#focusWanted() })
    const key = (keys: string, label: string, run: () => void) => ({
      keys,
      label: page.t(label),
      run: () => (target.isEditable() ? run() : false)
    })
    new Shortcuts(page, () => [
      key('a', 'flow.key.add', () => this.openAdd()),
      key('mod+z', 'flow.key.undo', () => target.draft.undo()),
      key('mod+y', 'flow.key.redo', () => target.draft.redo())
    ])
  }

  /** The card with the place in the tab order. */
  get active(): string {
    const { steps = [] } = this.#target.draft
    const selected = this.#target.selected()
    const path = selected ?? this.#active
    return stepAt(steps, path) === undefined && !path.endsWith('.0') ? '0' : path
  }

  /** Asks what to add behind the active card, or in the place that is active. */
  openAdd(): void {
    const { steps = [] } = this.#target.draft
    const { list, index } = placeOf(this.active)
    const isCard = stepAt(steps, this.active) !== undefined
    this.#page.go({ add: isCard ? pathOf({ list, index: index + 1 }) : this.active })
  }

  /** Adds a step where the address says, and opens it. */
  add(type: StepType, path: string): void {
    this.#page.go({ add: null, step: path }, { replace: true })
    this.#apply(insertStep(this.#steps, path, newStep(type)))
  }

  change(path: string, step: FlowStep, about: string): void {
    this.#target.draft.edit(replaceStep(this.#steps, path, step).steps, about)
  }

  move(path: string, by: -1 | 1): void {
    this.#follow(moveStep(this.#steps, path, by))
  }

  /** A pointer on a card may drag it. */
  readonly onPointer = (event: PointerEvent): void => {
    if (!this.#target.isEditable()) return
    dragCard(event, {
      card: '.step[data-path]',
      grip: '.glyph',
      move: (from, place) => this.#follow(moveStepTo(this.#steps, from, place))
    })
  }

  duplicate(path: string): void {
    this.#follow(duplicateStep(this.#steps, path))
  }

  /** Removes a step; a toast offers to take that back. */
  remove(path: string): void {
    if (stepAt(this.#steps, path) === undefined) return
    const wasOpen = this.#target.selected() !== null
    this.#apply(removeStep(this.#steps, path))
    if (wasOpen) this.#page.go({ step: null }, { replace: true })
    const undo = () => this.#target.draft.undo()
    const { t } = this.#page
    this.#page.toast({ text: t('flow.removed'), action: { label: t('flow.undo'), run: undo } })
  }

  /** Keys start from the card that has the focus. */
  readonly onFocus = (event: FocusEvent): void => {
    const target = (event.target as HTMLElement).closest<HTMLElement>('[data-path]')
    const path = target?.dataset['path']
    if (path === undefined || path === this.#active) return
    this.#active = path
    this.#page.requestUpdate()
  }

  /** Closes the panel; the focus goes to its card. */
  close(path: string): void {
    this.#page.go({ step: null }, { replace: true })
    this.#focus(path)
  }

  /** Keys on a card. */
  readonly onKey = (event: KeyboardEvent): void => {
    const target = (event.target as HTMLElement).closest<HTMLElement>('[data-path]')
    const path = target?.dataset['path']
    if (path === undefined || event.ctrlKey || event.metaKey) return
    if (!this.#act(event, path)) return
    event.preventDefault()
    event.stopPropagation()
  }

  #act({ key, altKey }: KeyboardEvent, path: string): boolean {
    const isEditable = this.#target.isEditable()
    if (altKey) {
      if (!isEditable || (key !== 'ArrowUp' && key !== 'ArrowDown')) return false
      this.move(path, key === 'ArrowUp' ? -1 : 1)
      return true
    }
    if (isEditable && (key === 'Delete' || key === 'Backspace')) {
      this.remove(path)
      return true
    }
    const to = movedTo(this.#steps, path, key)
    if (to !== undefined) this.#show(to)
    return to !== undefined
  }

  get #steps(): readonly FlowStep[] {
    return this.#target.draft.steps ?? []
  }

  #apply({ steps, path }: EditedSteps): void {
    this.#target.draft.edit(steps)
    this.#focus(path)
  }

  #follow(edited: EditedSteps): void {
    this.#apply(edited)
    this.#show(edited.path)
  }

  /** An open panel follows the card. */
  #show(path: string): void {
    this.#focus(path)
    const isStep = stepAt(this.#steps, path) !== undefined
    if (this.#target.selected() !== null && isStep) this.#page.go({ step: path }, { replace: true })
  }

  #focus(path: string): void {
    this.#active = path
    this.#wanted = path
    this.#page.requestUpdate()
  }

  /** A dialog that closes gives the focus back first. */
  #focusWanted(): void {
    const path = this.#wanted
    if (path === undefined || this.#page.params.has('add')) return
    this.#wanted = undefined
    void this.#page.updateComplete.then(() => {
      const card = this.#page.renderRoot.querySelector<HTMLElement>(`[data-path="${path}"]`)
      card?.focus()
      card?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    })
  }
}
