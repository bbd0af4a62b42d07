// Editing of the Flow page, loaded after the canvas is drawn: the panel of a step, and the dialogs.
import { define, KeelsonDialog, type KeelsonPage } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { FlowTrigger } from '../../ledger/flow-rows.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { oneHref } from '../addresses.ts'
import { editedOf, type FlowAnswer } from './answers.ts'
import { contentLines } from './content-lines.ts'
import { addDialog, pauseDialog, publishDialog } from './dialogs.ts'
import type { FlowDraft } from './draft.ts'
import { registerEditTexts } from './edit-texts.ts'
import type { FieldChoices } from './field-choices.ts'
import { eventNames } from './field-view.ts'
import { FlowActs } from './flow-acts.ts'
import { flowBody, flowDialog } from './flow-form.ts'
import { laneOf, nodesOf } from './lane.ts'
import type { FlowLoads } from './loads.ts'
import { scheduleOf } from './schedule-words.ts'
import { eventsOf, silentWords } from './silent-events.ts'
import { StepEdits } from './step-edits.ts'
import { stepPanel } from './step-panel.ts'

export { FlowActs, StepEdits, scheduleOf }

/** What is edited, and with what. */
export interface Editing {
  readonly page: KeelsonPage
  readonly flow: FlowAnswer
  readonly loads: FlowLoads
  readonly acts: FlowActs
  readonly edits: StepEdits
  readonly draft: FlowDraft
  readonly hasDraft: boolean
  /** The trigger that the form of the flow asks for. */
  readonly type: FlowTrigger['type'] | undefined
  onType(type: FlowTrigger['type'] | undefined): void
}

const NO_CHOICES: FieldChoices = { templates: [], events: [] }
const choicesOf = ({ loads }: Editing): FieldChoices => loads.choices.value ?? NO_CHOICES
const wordsOf = ({ loads }: Editing) => loads.words()

/** Adds the texts: before they are shown, so that their translation is waited for. */
export const registerTexts = (): void => registerEditTexts()

/** The panel of a step. */
export function panelView(editing: Editing, path: string, step: FlowStep): TemplateResult {
  const { page, flow, acts, edits, draft, hasDraft } = editing
  const node = [...nodesOf(laneOf(draft.steps ?? []))].find((one) => one.path === path)
  const runsHref =
    flow.version === 0 || hasDraft ? undefined : page.address({ step: null, tab: 'runs', at: path })
  return html`${stepPanel({
    step,
    path,
    number: node?.number ?? 0,
    words: wordsOf(editing),
    choices: choicesOf(editing),
    isEditable: true,
    fault: acts.faults.get(path),
    runsHref,
    templateHref: (slug) => oneHref(page, 'template', slug),
    onChange: (changed, about) => edits.change(path, changed, about),
    unread: (name) => draft.unread(`${path} ${name}`),
    onUnread: (name, text) => draft.keepUnread(`${path} ${name}`, text),
    onMove: (by) => edits.move(path, by),
    onDuplicate: () => edits.duplicate(path),
    onRemove: () => edits.remove(path)
  })}${eventNames(choicesOf(editing))}`
}

/** The dialog that the address names. */
export function dialogView(editing: Editing): TemplateResult | typeof nothing {
  define(KeelsonDialog)
  const { page, acts, edits } = editing
  const add = page.params.get('add')
  if (add !== null) return addDialog(page.t, (type) => edits.add(type, add), acts.close)
  const dialog = page.params.get('dialog')
  if (dialog === 'publish') return publishView(editing)
  if (dialog === 'pause') return pauseView(editing)
  return dialog === 'settings' ? settingsView(editing) : nothing
}

function publishView(editing: Editing): TemplateResult {
  const { page, flow, acts, loads, draft } = editing
  const words = wordsOf(editing)
  const { problem, isSending, close } = acts
  return publishDialog({
    t: page.t,
    next: flow.version + 1,
    lines: contentLines(
      flow.version === 0 ? undefined : flow,
      { ...editedOf(flow), steps: draft.steps ?? [] },
      words
    ),
    active: loads.counts.value?.totals.active ?? 0,
    isEnabled: flow.enabled,
    doubts: eventsOf(editedOf(flow).trigger, draft.steps ?? []).flatMap(
      (event) => silentWords(event, choicesOf(editing).fired, page.t) ?? []
    ),
    problem,
    isSending,
    onPublish: (enable) => void acts.publish(enable),
    onClose: close
  })
}

function pauseView({ page, acts, loads }: Editing): TemplateResult {
  const { problem, isSending, close } = acts
  return pauseDialog({
    t: page.t,
    active: loads.counts.value?.totals.active ?? 0,
    problem,
    isSending,
    onPause: (stops) => void acts.pause(stops),
    onClose: close
  })
}

function settingsView(editing: Editing): TemplateResult {
  const { page, flow, acts, type, onType } = editing
  const { problem, isSending, close } = acts
  const { name, description = '' } = flow
  const { trigger, goal } = editedOf(flow)
  return flowDialog({
    t: page.t,
    fields: { name, description, goal, trigger },
    choices: choicesOf(editing),
    api: editing.loads.api,
    problem,
    isSending,
    type: type ?? trigger.type,
    onType,
    onSubmit: (data) => void acts.change(() => flowBody(data, false)),
    onClose: () => {
      onType(undefined)
      close()
    }
  })
}
