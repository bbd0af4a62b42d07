// Flows in the admin API: drafts, versions, publishing, pausing and resuming.
import { answered, type Call, type Operation, operation, Type } from '@keelson/sdk'
import { compareFlow } from '../campaigns/flows/compare-versions.ts'
import { flowChange, flowCopy, newFlow } from '../campaigns/flows/flow-input.ts'
import {
  changeFlow,
  createFlow,
  deleteFlow,
  duplicateFlow,
  getFlow,
  getFlowVersion,
  listFlows,
  listFlowVersions,
  pauseFlow,
  resumeFlow
} from '../campaigns/flows/flow-operations.ts'
import { publishFlow, rollbackFlow } from '../campaigns/flows/publish-flow.ts'
import { stopFlow } from '../campaigns/flows/stop-flow.ts'
import { OWN_KINDS, problemOf } from '../campaigns/owner-hold.ts'
import { actingOf } from '../ledger/acting.ts'
import { defined } from '../ledger/defined.ts'
import { countSteps } from '../ledger/flow-paths.ts'
import type { FlowRow } from '../ledger/flow-rows.ts'
import { mailRefusals as refusals } from '../ledger/refusals.ts'
import {
  type AdminHost,
  access,
  changesSchema,
  closed,
  done,
  limitParameter,
  MAIL_API,
  missing,
  slugParams,
  versionSchema
} from './admin-operation.ts'
import { comparedQuery, comparedStates } from './compared-states.ts'
import {
  flowLineSchema,
  flowPublishedSchema,
  flowSchema,
  flowStoppedSchema,
  flowVersionLineSchema,
  flowVersionSchema
} from './flow-answers.ts'
import { flowArmingOperations } from './flow-arming-operations.ts'
import { flowRunOperations } from './flow-run-operations.ts'

const base = MAIL_API
const SLUG = '/flows/:slug'
const MOST_FLOWS = 500
const WRITE_FAULTS = ['bad_id', 'not_found', 'conflict', 'draft_conflict'] as const

/** A flow without changes has no revision. */
const withRevision = ({ revision = 0, ...flow }: FlowRow) => ({ ...flow, revision })

type Changed = { readonly flow: FlowRow; readonly revision: number }

const flowOf = ({ flow, revision }: Changed) => answered(withRevision(flow), { revision })

function lineOf(flow: FlowRow) {
  const { steps, draft } = flow
  const stepCount = countSteps(draft?.steps ?? steps)
  return { ...withRevision(flow), hasDraft: draft !== null, stepCount }
}

const list = operation({
  id: 'mailer.flows.list',
  method: 'GET',
  base,
  path: '/flows',
  summary: 'Flows, newest-updated first',
  access: access.read,
  effect: 'read',
  query: Type.Object({ limit: limitParameter(MOST_FLOWS, MOST_FLOWS) }),
  answer: Type.Array(flowLineSchema),
  run: async ({ query }, { host }: Call<AdminHost>) =>
    (await listFlows(host.context, query)).map(lineOf)
})

const create = operation({
  id: 'mailer.flows.create',
  method: 'POST',
  base,
  path: '/flows',
  summary: 'Makes a flow',
  access: access.change,
  effect: 'change',
  body: newFlow,
  status: 201,
  answer: flowSchema,
  errors: refusals.only('slug_taken'),
  async run({ body }, { host, actor }: Call<AdminHost>) {
    const made = await createFlow(host.context, body, actingOf(actor))
    return made.ok ? flowOf(made) : made
  }
})

const read = operation({
  id: 'mailer.flows.read',
  method: 'GET',
  base,
  path: SLUG,
  summary: 'A flow',
  access: access.read,
  effect: 'read',
  params: slugParams,
  answer: flowSchema,
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { slug } }, { host }: Call<AdminHost>) {
    const flow = await getFlow(host.context, slug)
    if (flow === null) return missing('flow')
    const { revision = 0 } = flow
    const problem = await problemOf(host.context, OWN_KINDS.flow, flow)
    return answered({ ...withRevision(flow), ...problem }, { revision })
  }
})

const remove = operation({
  id: 'mailer.flows.delete',
  method: 'DELETE',
  base,
  path: SLUG,
  summary: 'Deletes a flow that never ran',
  access: access.publish,
  effect: 'change',
  hints: { destructive: true },
  params: slugParams,
  answer: done,
  errors: refusals.only('bad_id', 'not_found', 'has_runs'),
  run: ({ params: { slug } }, { host, actor }: Call<AdminHost>) =>
    deleteFlow(host.context, slug, actingOf(actor))
})

const draft = operation({
  id: 'mailer.flows.changeDraft',
  method: 'PATCH',
  base,
  path: `${SLUG}/draft`,
  summary: 'Changes the draft; name and description at once',
  access: access.change,
  effect: 'change',
  hints: { idempotent: true },
  params: slugParams,
  body: flowChange,
  answer: flowSchema,
  errors: refusals.only(...WRITE_FAULTS),
  async run({ params: { slug }, body }, { host, actor, ifRevision }: Call<AdminHost>) {
    const by = { ...actingOf(actor), ...defined({ ifRevision }) }
    const changed = await changeFlow(host.context, slug, body, by)
    return changed.ok ? flowOf(changed) : changed
  }
})

const duplicate = operation({
  id: 'mailer.flows.duplicate',
  method: 'POST',
  base,
  path: `${SLUG}/duplicate`,
  summary: 'Copies a flow',
  access: access.change,
  effect: 'change',
  params: slugParams,
  body: flowCopy,
  status: 201,
  answer: flowSchema,
  errors: refusals.only('bad_id', 'not_found', 'slug_taken'),
  async run({ params: { slug }, body }, { host, actor }: Call<AdminHost>) {
    const made = await duplicateFlow(host.context, slug, body, actingOf(actor))
    return made.ok ? flowOf(made) : made
  }
})

const pause = operation({
  id: 'mailer.flows.pause',
  method: 'POST',
  base,
  path: `${SLUG}/pause`,
  summary: 'Starts no more runs',
  access: access.publish,
  effect: 'stop',
  hints: { idempotent: true },
  params: slugParams,
  answer: flowSchema,
  errors: refusals.only(...WRITE_FAULTS),
  async run({ params: { slug } }, { host, actor }: Call<AdminHost>) {
    const paused = await pauseFlow(host.context, slug, actingOf(actor))
    return paused.ok ? flowOf(paused) : paused
  }
})

const stop = operation({
  id: 'mailer.flows.stop',
  method: 'POST',
  base,
  path: `${SLUG}/stop`,
  summary: 'Starts no more runs, ends those under way, and cancels their mails that have not left',
  access: access.publish,
  effect: 'stop',
  hints: { idempotent: true, destructive: true },
  params: slugParams,
  answer: flowStoppedSchema,
  errors: refusals.only(...WRITE_FAULTS),
  async run({ params: { slug } }, { host, actor }: Call<AdminHost>) {
    const stopped = await stopFlow(host.context, slug, actingOf(actor))
    if (!stopped.ok) return stopped
    const { flow, revision, abortedRuns, cancelledSends } = stopped
    const body = { ok: true as const, ...withRevision(flow), abortedRuns, cancelledSends }
    return answered(body, { revision })
  }
})

const resume = operation({
  id: 'mailer.flows.resume',
  method: 'POST',
  base,
  path: `${SLUG}/resume`,
  summary: 'Starts runs again',
  access: access.publish,
  effect: 'release',
  hints: { idempotent: true },
  params: slugParams,
  answer: flowSchema,
  errors: refusals.only(...WRITE_FAULTS, 'no_live_steps'),
  async run({ params: { slug } }, { host, actor }: Call<AdminHost>) {
    const resumed = await resumeFlow(host.context, slug, actingOf(actor))
    return resumed.ok ? flowOf(resumed) : resumed
  }
})

const publish = operation({
  id: 'mailer.flows.publish',
  method: 'POST',
  base,
  path: `${SLUG}/publish`,
  summary: 'Publishes the draft, and enables the flow unless `enable` is false',
  access: access.publish,
  effect: 'release',
  params: slugParams,
  body: Type.Object({ enable: Type.Optional(Type.Boolean({ default: true })) }, closed),
  answer: flowPublishedSchema,
  errors: refusals.only(...WRITE_FAULTS, 'empty_flow', 'invalid_steps'),
  async run({ params: { slug }, body }, { host, actor, ifRevision }: Call<AdminHost>) {
    const by = { ...actingOf(actor), ...defined({ ifRevision }) }
    const published = await publishFlow(host.context, slug, body, by)
    if (!published.ok) return published
    const { flow, revision } = published
    return answered({ ok: true as const, ...withRevision(flow) }, { revision })
  }
})

const rollback = operation({
  id: 'mailer.flows.rollback',
  method: 'POST',
  base,
  path: `${SLUG}/rollback`,
  summary: 'Publishes an earlier version once more',
  access: access.publish,
  effect: 'change',
  params: slugParams,
  body: Type.Object({ version: versionSchema }, closed),
  answer: flowSchema,
  errors: refusals.only(...WRITE_FAULTS, 'version_not_found', 'invalid_steps'),
  async run({ params: { slug }, body: { version } }, { host, actor }: Call<AdminHost>) {
    const published = await rollbackFlow(host.context, slug, version, actingOf(actor))
    return published.ok ? flowOf(published) : published
  }
})

const versions = operation({
  id: 'mailer.flows.listVersions',
  method: 'GET',
  base,
  path: `${SLUG}/versions`,
  summary: 'Published versions, newest first',
  access: access.read,
  effect: 'read',
  params: slugParams,
  answer: Type.Array(flowVersionLineSchema),
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { slug } }, { host: { context } }: Call<AdminHost>) {
    const found = await listFlowVersions(context, slug)
    const isKnown = found.length > 0 || (await getFlow(context, slug)) !== null
    return isKnown ? found : missing('flow')
  }
})

const version = operation({
  id: 'mailer.flows.readVersion',
  method: 'GET',
  base,
  path: `${SLUG}/versions/:version`,
  summary: 'A version as it was published',
  access: access.read,
  effect: 'read',
  params: Type.Object({ ...slugParams.properties, version: versionSchema }),
  answer: flowVersionSchema,
  errors: refusals.only('bad_id', 'not_found'),
  run: async ({ params: { slug, version } }, { host }: Call<AdminHost>) =>
    (await getFlowVersion(host.context, slug, version)) ?? missing('version')
})

const diff = operation({
  id: 'mailer.flows.compare',
  method: 'GET',
  base,
  path: `${SLUG}/diff`,
  summary: 'What differs between `from` and `to`: a version, draft or published',
  access: access.read,
  effect: 'read',
  params: slugParams,
  query: comparedQuery,
  answer: changesSchema,
  errors: refusals.only('bad_id', 'not_found', 'version_not_found'),
  async run({ params: { slug }, query }, { host }: Call<AdminHost>) {
    const compared = await compareFlow(host.context, slug, comparedStates(query))
    return compared.ok ? { changes: compared.changes } : compared
  }
})

/** The operations of flows and of their runs. */
export const flowOperations: readonly Operation<AdminHost>[] = [
  list,
  create,
  read,
  remove,
  draft,
  duplicate,
  pause,
  stop,
  resume,
  publish,
  rollback,
  versions,
  version,
  diff,
  ...flowArmingOperations,
  ...flowRunOperations
]
