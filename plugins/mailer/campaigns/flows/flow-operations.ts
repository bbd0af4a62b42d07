// What editors and agents do with flows: create, copy, draft, pause, resume, read, delete.

import { randomUUID } from 'node:crypto'
import {
  type Change,
  type Clash,
  changeDocument,
  createDocument,
  type Deciding,
  deleteDocument,
  listVersionsOf,
  readDocument,
  readVersionOf,
  storedDraft,
  unknown
} from '@keelson/sdk/versions'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import type { FlowContent, FlowDraft, FlowRow, FlowVersionRow } from '../../ledger/flow-rows.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import type { MailWrite } from '../../ledger/mail-versioned.ts'
import type { Acting } from '../../ledger/template-input.ts'
import { cronFault } from './cron-times.ts'
import { checkInput, flowChange, flowCopy, newFlow, triggerOf } from './flow-input.ts'
import { type FlowRefusal, type FlowRefusalCode, refused } from './flow-refusal.ts'
import { publishedOf, versionedFlow } from './versioned-flow.ts'

/** Who does it, as the audit log names them. */
export type By = Acting

/** A flow after a change, or why it was not changed. */
export type FlowResult<Code extends FlowRefusalCode = FlowRefusalCode> =
  | { readonly ok: true; readonly flow: FlowRow; readonly revision: number }
  | FlowRefusal<Code>

/** Why a flow that is there, or not, could not be written. */
type WriteRefusal = 'not_found' | Clash

const MOST_FLOWS = 500

/** Flows, newest-updated first. `limit`: default and maximum 500. */
export function listFlows(
  { collections }: MailerContext,
  { limit = MOST_FLOWS }: { readonly limit?: number } = {}
): Promise<readonly FlowRow[]> {
  const most = Math.min(limit, MOST_FLOWS)
  return collections.flows.find().sort({ updatedAt: -1, _id: 1 }).limit(most).toArray()
}

/** A flow; null when the slug is unknown. */
export const getFlow = (context: MailerContext, slug: string): Promise<FlowRow | null> =>
  readDocument(context, versionedFlow, slug)

/** Published versions, newest first. */
export async function listFlowVersions(
  context: MailerContext,
  slug: string
): Promise<readonly FlowVersionRow[]> {
  const flow = await getFlow(context, slug)
  return flow === null ? [] : listVersionsOf(context, versionedFlow, flow._id)
}

/** One version, as it was published; null when flow or version is unknown. */
export async function getFlowVersion(
  context: MailerContext,
  slug: string,
  version: number
): Promise<FlowVersionRow | null> {
  const flow = await getFlow(context, slug)
  return flow && readVersionOf(context, versionedFlow, flow._id, version)
}

/** Creates a flow: disabled, with an empty draft. */
export async function createFlow(
  context: MailerContext,
  input: unknown,
  by: By
): Promise<FlowResult<'validation_failed' | 'slug_taken'>> {
  const checked = checkInput(newFlow, input)
  if (!checked.ok) return checked
  const trigger = triggerOf(checked.value.trigger, cronFault)
  if (!trigger.ok) return trigger
  return insertFlow(context, { ...checked.value, trigger: trigger.trigger }, [], by)
}

/** Creates a flow, disabled, whose draft is what an editor of another one works on. */
export async function duplicateFlow(
  context: MailerContext,
  slug: string,
  input: unknown,
  by: By
): Promise<FlowResult<'validation_failed' | 'slug_taken' | 'not_found'>> {
  const checked = checkInput(flowCopy, input)
  if (!checked.ok) return checked
  const source = await getFlow(context, slug)
  if (source === null) return unknown('flow', slug)
  const { name = `${source.name} (copy)`.slice(0, 200), slug: copy } = checked.value
  const { description, audience, expectedVolumePerWeek } = source
  const { steps, trigger = source.trigger, goal } = versionedFlow.editedOf(source)
  const described = defined({ description, goal, audience, expectedVolumePerWeek })
  return insertFlow(context, { slug: copy, name, trigger, ...described }, steps, by)
}

type Described = Pick<FlowRow, 'slug' | 'name' | 'trigger'> & Partial<FlowRow>

async function insertFlow(
  context: MailerContext,
  described: Described,
  steps: readonly FlowStep[],
  by: By
): Promise<FlowResult<'slug_taken'>> {
  const now = context.clock.now()
  const flow: FlowRow = {
    ...described,
    _id: randomUUID(),
    enabled: false,
    steps: [],
    draft: { steps },
    version: 0,
    createdAt: now,
    updatedAt: now
  }
  const write = { ...by, action: 'flow.create' }
  const created = await createDocument(context, versionedFlow, flow, write)
  return created.ok ? { ok: true, flow: created.row, revision: 0 } : created
}

/**
 * Changes a flow: steps, trigger, goal and notes in its draft, name and description at once. `ifRevision`: only
 * when the flow has this revision.
 */
export async function changeFlow(
  context: MailerContext,
  slug: string,
  input: unknown,
  by: By & { readonly ifRevision?: number }
): Promise<FlowResult<WriteRefusal | 'validation_failed'>> {
  const checked = checkInput(flowChange, input)
  if (!checked.ok) return checked
  const { steps, notes, goal, trigger: wanted, ...live } = checked.value
  const trigger = wanted && triggerOf(wanted, cronFault)
  if (trigger?.ok === false) return trigger
  const drafted = defined({ steps, notes, goal, trigger: trigger?.trigger }) as Partial<FlowDraft>
  const isDraft = Object.keys(drafted).length > 0
  const action = isDraft ? 'flow.draft.update' : 'flow.update'
  return changeFlowRow(context, slug, { action, ...by }, (flow) => ({
    ...live,
    ...(isDraft && draftedFields(flow, drafted))
  }))
}

/** The draft after a change. Nothing runs by a trigger before the first publish, so the flow has it at once. */
function draftedFields(flow: FlowRow, change: Partial<FlowDraft>): Partial<FlowRow> {
  const { notes } = { ...flow.draft, ...change }
  const draft = { ...versionedFlow.editedOf(flow), ...change, ...defined({ notes }) }
  const { trigger = flow.trigger, goal = '' } = draft
  return {
    draft: storedDraft(flow, publishedOf(flow), draft),
    ...(flow.version === 0 && { trigger, goal })
  }
}

/** Stops a flow from starting runs. Runs under way go on. */
export function pauseFlow(
  context: MailerContext,
  slug: string,
  by: By
): Promise<FlowResult<WriteRefusal>> {
  return changeFlowRow(context, slug, { action: 'flow.pause', ...by }, () => ({ enabled: false }))
}

/** Lets a flow start runs again, by what happens from now on. */
export async function resumeFlow(
  context: MailerContext,
  slug: string,
  by: By
): Promise<FlowResult<WriteRefusal | 'no_live_steps'>> {
  const flow = await getFlow(context, slug)
  if (flow?.version === 0) return refused('no_live_steps', `The flow ${slug} was never published.`)
  return changeFlowRow(context, slug, { action: 'flow.resume', ...by }, (row, now) =>
    enabling(row, now, by)
  )
}

/** Deletes a flow that never ran. */
export function deleteFlow(
  context: MailerContext,
  slug: string,
  by: By
): Promise<{ readonly ok: true } | FlowRefusal<'not_found' | 'has_runs'>> {
  const { flowRuns, flowMembers } = context.collections
  const write = { ...by, action: 'flow.delete', beforeOf: (flow: FlowRow) => flow }
  return deleteDocument(context, versionedFlow, slug, write, async ({ _id: flowId }, session) => {
    const run = await flowRuns.findOne({ flowId }, { session, projection: { _id: 1 } })
    if (run !== null) return refused('has_runs', `The flow ${slug} has runs, so it is kept.`)
    await flowMembers.deleteMany({ flowId }, { session })
    return undefined
  })
}

/** A flow that was enabled before keeps its start: events that are under way still count. */
export const enabling = (
  flow: FlowRow,
  now: Date,
  { owner }: Pick<By, 'owner'>
): Partial<FlowRow> => ({
  ...(!flow.enabled && { enabled: true, enabledAt: now }),
  lastTriggerScanAt: now,
  owner: owner ?? null
})

/** Changes fields of a flow. */
export const changeFlowRow = (
  context: MailerContext,
  slug: string,
  write: MailWrite,
  decide: (flow: FlowRow, now: Date) => Partial<FlowRow>
): Promise<FlowResult<WriteRefusal>> =>
  writeFlow(context, slug, write, (flow, { now }) => ({ ok: true, set: decide(flow, now) }))

/** Changes a flow, and publishes a version where the change says so. */
export async function writeFlow(
  context: MailerContext,
  slug: string,
  write: MailWrite,
  decide: (flow: FlowRow, deciding: Deciding) => Change<FlowRow>
): Promise<FlowResult<WriteRefusal>> {
  const changed = await changeDocument<FlowRow, FlowVersionRow, FlowContent, MailerContext, Acting>(
    context,
    versionedFlow,
    slug,
    write,
    decide
  )
  if (!changed.ok) return changed
  return { ok: true, flow: changed.row, revision: changed.revision }
}
