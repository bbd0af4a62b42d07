// Runs of flows in the admin API: where they are, what one would do, stopping and skipping.
import { answered, type Call, type Operation, operation, type Static, Type } from '@keelson/sdk'
import { countFlow, flowCountsSchema } from '../campaigns/flows/count-steps.ts'
import { getFlow } from '../campaigns/flows/flow-operations.ts'
import { faultsOfSteps } from '../campaigns/flows/publish-flow.ts'
import { listRuns, skipStep, stopRun } from '../campaigns/flows/run-operations.ts'
import { simulateFlow } from '../campaigns/flows/simulate-flow.ts'
import { versionedFlow } from '../campaigns/flows/versioned-flow.ts'
import { actingOf } from '../ledger/acting.ts'
import { inputs } from '../ledger/checked-input.ts'
import type { MailerContext } from '../ledger/context.ts'
import { defined } from '../ledger/defined.ts'
import type { FlowRow } from '../ledger/flow-rows.ts'
import { mailRefusals as refusals } from '../ledger/refusals.ts'
import {
  type AdminHost,
  access,
  closed,
  done,
  idParams,
  MAIL_API,
  missing,
  pageParameters,
  slugParams,
  versionSchema
} from './admin-operation.ts'
import { flowRunSchema, flowSimulationSchema, runStatusSchema } from './flow-answers.ts'

const base = MAIL_API
const MOST_RUNS = 200

const simulation = Type.Object(
  {
    contactId: inputs.externalId,
    at: Type.Optional(
      Type.String({ format: 'date-time', description: 'When the contact enters. Default: now.' })
    ),
    eventProperties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    version: Type.Optional(
      Type.Union([versionSchema, Type.Enum(['draft', 'published'])], {
        description: 'Default: draft while there is one, else the live version.'
      })
    ),
    steps: Type.Optional(Type.Array(Type.Unknown(), { description: 'Steps that are not saved.' }))
  },
  closed
)

const counts = operation({
  id: 'mailer.flows.count',
  method: 'GET',
  base,
  path: '/flows/:slug/counts',
  summary: 'Where the runs are, by steps of `version`',
  access: access.read,
  effect: 'read',
  params: slugParams,
  query: Type.Object({ version: Type.Optional(versionSchema) }),
  answer: flowCountsSchema,
  errors: refusals.only('bad_id', 'not_found'),
  run: async ({ params: { slug }, query }, { host }: Call<AdminHost>) =>
    (await countFlow(host.context, slug, query)) ?? missing('flow')
})

const simulate = operation({
  id: 'mailer.flows.simulate',
  method: 'POST',
  base,
  path: '/flows/:slug/simulate',
  summary: 'What the flow would do with a contact; nothing is written or sent',
  access: access.read,
  effect: 'read',
  params: slugParams,
  body: simulation,
  answer: flowSimulationSchema,
  errors: refusals.only(
    'bad_id',
    'not_found',
    'contact_not_found',
    'invalid_steps',
    'version_not_found'
  ),
  async run({ params: { slug }, body }, { host: { context } }: Call<AdminHost>) {
    const { contactId, version } = body
    const [flow, contact] = await Promise.all([
      getFlow(context, slug),
      context.adapter.getById(contactId)
    ])
    if (flow === null) return missing('flow')
    if (contact === null)
      return refusals.refuse('contact_not_found', { message: `There is no contact ${contactId}.` })
    const { steps, trigger, faults } = await unpublished(context, flow, body)
    const [first] = faults
    if (first !== undefined)
      return refusals.refuse('invalid_steps', { message: first.message, more: { faults } })
    const at = body.at === undefined ? undefined : new Date(body.at)
    const { eventProperties } = body
    const walked = await simulateFlow(context, slug, {
      contact,
      ...defined({ at, eventProperties, steps, trigger }),
      ...(typeof version === 'number' && { version })
    })
    return walked.ok ? walked : refusals.refuse('version_not_found')
  }
})

/** What is given, or of the draft; left out is what a version has. */
async function unpublished(
  context: MailerContext,
  flow: FlowRow,
  { steps: given, version = 'draft' }: Static<typeof simulation>
) {
  const edited = version === 'draft' ? versionedFlow.editedOf(flow) : undefined
  const steps = (given ?? (flow.draft && edited?.steps)) as FlowRow['steps'] | null | undefined
  const faults = steps == null ? [] : await faultsOfSteps(context, steps)
  return { ...(steps != null && { steps }), ...defined({ trigger: edited?.trigger }), faults }
}

const list = operation({
  id: 'mailer.flowRuns.list',
  method: 'GET',
  base,
  path: '/flows/:slug/runs',
  summary: 'Runs, newest first; by `status`, `externalId`, or `version` and `step`',
  access: access.read,
  effect: 'read',
  params: slugParams,
  query: Type.Object({
    status: Type.Optional(runStatusSchema),
    externalId: Type.Optional(inputs.externalId),
    step: Type.Optional(
      Type.String({
        pattern: '^[0-9]+(\\.[a-z0-9]+\\.[0-9]+)*$',
        maxLength: 128,
        description: 'Active runs at this step, as `2.true.0`, or those that ended there.'
      })
    ),
    version: Type.Optional(versionSchema),
    ...pageParameters(MOST_RUNS, MOST_RUNS)
  }),
  answer: Type.Array(flowRunSchema),
  errors: refusals.only('bad_id'),
  async run({ params: { slug: flowSlug }, query }, { host: { context } }: Call<AdminHost>) {
    const { step: path, version: asked, ...filter } = query
    const live = async () => (await getFlow(context, flowSlug))?.version ?? 0
    const at = path === undefined ? undefined : { path, version: asked ?? (await live()) }
    const { rows, nextCursor } = await listRuns(context, {
      ...filter,
      ...defined({ at }),
      flowSlug
    })
    return answered(rows, { nextCursor })
  }
})

const stop = operation({
  id: 'mailer.flowRuns.stop',
  method: 'POST',
  base,
  path: '/runs/:id/stop',
  summary: 'Ends a run, and cancels its waiting mails',
  access: access.publish,
  effect: 'stop',
  params: idParams,
  body: Type.Object({ reason: Type.Optional(inputs.abortReason) }, closed),
  answer: Type.Object(
    { ok: Type.Literal(true), cancelledSends: Type.Integer() },
    { title: 'FlowRunStopped' }
  ),
  errors: refusals.only('bad_id', 'not_found', 'run_not_active'),
  run: ({ params: { id }, body }, { host, actor }: Call<AdminHost>) =>
    stopRun(host.context, id, { ...actingOf(actor), ...body })
})

const skip = operation({
  id: 'mailer.flowRuns.skip',
  method: 'POST',
  base,
  path: '/runs/:id/skip',
  summary: 'Takes a run behind the step that it is at',
  access: access.publish,
  effect: 'release',
  params: idParams,
  answer: done,
  errors: refusals.only('bad_id', 'not_found', 'run_not_active', 'run_busy'),
  run: ({ params: { id } }, { host, actor }: Call<AdminHost>) =>
    skipStep(host.context, id, actingOf(actor))
})

/** The operations of runs. */
export const flowRunOperations: readonly Operation<AdminHost>[] = [
  counts,
  simulate,
  list,
  stop,
  skip
]
