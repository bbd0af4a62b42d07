// What editors and agents do with flows: create, copy, draft, pause, resume, read, delete.
import { randomUUID } from 'node:crypto'
import { type ClientSession, MongoServerError } from 'mongodb'
import { audit } from '../../ledger/audit/audit.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import type { FlowRow, FlowVersionRow } from '../../ledger/flow-rows.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import type { Acting } from '../../ledger/template-input.ts'
import { cronFault } from './cron-times.ts'
import { checkInput, flowChange, flowCopy, newFlow, triggerOf } from './flow-input.ts'
import { type FlowRefusal, type FlowRefusalCode, refused } from './flow-refusal.ts'
import { versionId } from './runs/flow-versions.ts'

/** Who does it, as the audit log names them. */
export type By = Acting

/** A flow after a change, or why it was not changed. */
export type FlowResult<Code extends FlowRefusalCode = FlowRefusalCode> =
  | { readonly ok: true; readonly flow: FlowRow; readonly revision: number }
  | FlowRefusal<Code>

/** Why a flow that is there, or not, could not be written. */
type WriteRefusal = 'not_found' | 'conflict' | 'draft_conflict'

const MOST_FLOWS = 500
const MOST_VERSIONS = 100
const DUPLICATE_KEY = 11000

/** Flows, newest-updated first. `limit`: default and maximum 500. */
export function listFlows(
  { collections }: MailerContext,
  { limit = MOST_FLOWS }: { readonly limit?: number } = {}
): Promise<readonly FlowRow[]> {
  const most = Math.min(limit, MOST_FLOWS)
  return collections.flows.find().sort({ updatedAt: -1, _id: 1 }).limit(most).toArray()
}

/** A flow; null when the slug is unknown. */
export function getFlow({ collections }: MailerContext, slug: string): Promise<FlowRow | null> {
  return collections.flows.findOne({ slug })
}

/** Published versions, newest first. */
export async function listFlowVersions(
  context: MailerContext,
  slug: string
): Promise<readonly FlowVersionRow[]> {
  const flow = await getFlow(context, slug)
  if (flow === null) return []
  const { flowVersions } = context.collections
  return flowVersions
    .find({ flowId: flow._id })
    .sort({ version: -1 })
    .limit(MOST_VERSIONS)
    .toArray()
}

/** One version, as it was published; null when flow or version is unknown. */
export async function getFlowVersion(
  context: MailerContext,
  slug: string,
  version: number
): Promise<FlowVersionRow | null> {
  const flow = await getFlow(context, slug)
  if (flow === null) return null
  return context.collections.flowVersions.findOne({ _id: versionId(flow._id, version) })
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
  if (source === null) return unknownFlow(slug)
  const { name = `${source.name} (copy)`.slice(0, 200), slug: copy } = checked.value
  const { trigger, description, goal, audience, expectedVolumePerWeek } = source
  const described = defined({ description, goal, audience, expectedVolumePerWeek })
  const steps = source.draft?.steps ?? source.steps
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
  try {
    await context.withTransaction(async (session) => {
      await context.collections.flows.insertOne(flow, { session })
      await audit(context, entryOf('flow.create', flow, by), { session })
    })
  } catch (error) {
    if (!(error instanceof MongoServerError && error.code === DUPLICATE_KEY)) throw error
    return refused('slug_taken', `There is a flow ${flow.slug} already.`)
  }
  return { ok: true, flow, revision: 0 }
}

/**
 * Changes a flow: `steps` and `notes` in its draft, name, trigger and description at once. `ifRevision`: only
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
  const { steps, notes, trigger: wanted, ...live } = checked.value
  const trigger = wanted && triggerOf(wanted, cronFault)
  if (trigger?.ok === false) return trigger
  return changeFlowRow(context, slug, { action: 'flow.draft.update', ...by }, (flow) => {
    const draft = flow.draft ?? { steps: flow.steps }
    const isDraft = steps !== undefined || notes !== undefined
    return {
      ...live,
      ...(trigger && { trigger: trigger.trigger }),
      ...(isDraft && {
        draft: {
          ...draft,
          ...(steps && { steps: steps as unknown as FlowStep[] }),
          ...(notes !== undefined && { notes })
        }
      })
    }
  })
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
export async function deleteFlow(
  context: MailerContext,
  slug: string,
  by: By
): Promise<{ readonly ok: true } | FlowRefusal<'not_found' | 'has_runs'>> {
  const { flows, flowRuns, flowVersions, flowMembers } = context.collections
  return context.withTransaction(async (session) => {
    const flow = await flows.findOne({ slug }, { session })
    if (flow === null) return unknownFlow(slug)
    const run = await flowRuns.findOne({ flowId: flow._id }, { session, projection: { _id: 1 } })
    if (run !== null) return refused('has_runs', `The flow ${slug} has runs, so it is kept.`)
    await flows.deleteOne({ _id: flow._id }, { session })
    await flowVersions.deleteMany({ flowId: flow._id }, { session })
    await flowMembers.deleteMany({ flowId: flow._id }, { session })
    await audit(context, { ...entryOf('flow.delete', flow, by), before: flow }, { session })
    return { ok: true }
  })
}

export const unknownFlow = (slug: string): FlowRefusal<'not_found'> =>
  refused('not_found', `There is no flow ${slug}.`)

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

/** Reads, changes and audits a flow in one transaction. With `version` another publish in between refuses it. */
export async function changeFlowRow(
  context: MailerContext,
  slug: string,
  write: By & { readonly action: string; readonly version?: number; readonly ifRevision?: number },
  decide: (flow: FlowRow, now: Date) => Partial<FlowRow>,
  together?: (flow: FlowRow, now: Date, session: ClientSession) => Promise<void>
): Promise<FlowResult<WriteRefusal>> {
  const { collections, clock } = context
  return context.withTransaction(async (session) => {
    const flow = await collections.flows.findOne({ slug }, { session })
    if (flow === null) return unknownFlow(slug)
    if (write.version !== undefined && write.version !== flow.version)
      return refused('conflict', `The flow ${slug} was published meanwhile. Read it again.`)
    const { revision = 0 } = flow
    if (write.ifRevision !== undefined && write.ifRevision !== revision)
      return refused(
        'draft_conflict',
        `Someone else changed the flow ${slug} since you opened it. Read it again.`
      )
    const now = clock.now()
    await together?.(flow, now, session)
    const decided = decide(flow, now)
    const changed = { ...decided, updatedAt: now, revision: revision + 1 }
    await collections.flows.updateOne({ _id: flow._id }, { $set: changed }, { session })
    const names = Object.keys(decided) as (keyof FlowRow)[]
    const before = Object.fromEntries(names.map((name) => [name, flow[name]]))
    await audit(
      context,
      { ...entryOf(write.action, flow, write), before, after: decided },
      { session }
    )
    return { ok: true, flow: { ...flow, ...changed }, revision: revision + 1 }
  })
}

const entryOf = (
  action: string,
  { _id, slug }: FlowRow,
  { actor, ip, userAgent, requestId }: By
) => ({
  ...{ actor, ...defined({ ip, userAgent, requestId }) },
  action,
  resource: { collection: 'mailer_flows', id: _id, slug }
})
