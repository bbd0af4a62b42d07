// Ends runs from outside: by the host, or by an operator.
import { Type } from '@keelson/sdk'
import { cancelSends } from '../../delivery/sends/cancel-sends.ts'
import { errors } from '../../errors.ts'
import { audit } from '../../ledger/audit/audit.ts'
import { checkedInput, inputs } from '../../ledger/checked-input.ts'
import type { MailerContext } from '../../ledger/context.ts'
import { defined } from '../../ledger/defined.ts'
import type { FlowRunRow } from '../../ledger/flow-rows.ts'
import type { Acting } from '../../ledger/template-input.ts'
import { RUN_ABORTED } from './runs/apply-effects.ts'
import { MAX_HISTORY } from './runs/settle-run.ts'

/** Why runs are ended, and by whom. */
export interface AbortOptions {
  /** At most 200 characters; kept in the exit reason. */
  readonly reason?: string
  /** As the audit log names it. Default `system:host`. */
  readonly actor?: string
  /** Ends only runs whose trigger had these properties. */
  readonly matchTriggerProperties?: Readonly<Record<string, unknown>>
}

/** What ending runs came to. */
export interface Aborted {
  readonly abortedRuns: number
  /** Mails of these runs that were still waiting. */
  readonly cancelledSends: number
}

const schema = Type.Object({
  externalId: inputs.externalId,
  reason: Type.Optional(inputs.abortReason)
})

/** Runs that one call ends. */
const MOST_RUNS = 10_000

/**
 * Ends a contact's active runs of a flow, and cancels their mails that have not left.
 *
 * @throws MLR_FLOW_UNKNOWN, MLR_INPUT_INVALID
 */
export async function abortFlow(
  context: MailerContext,
  flowSlug: string,
  externalId: string,
  options: AbortOptions = {}
): Promise<Aborted> {
  checkedInput('abortFlow', inputs.slug, flowSlug)
  const flow = await context.collections.flows.findOne(
    { slug: flowSlug },
    { projection: { _id: 1 } }
  )
  if (flow === null) throw errors.MLR_FLOW_UNKNOWN({ slug: flowSlug })
  const resource = { collection: 'mailer_flows', id: flow._id, slug: flowSlug }
  return endRuns(context, { externalId, flowId: flow._id }, options, {
    action: 'flow.abort',
    resource
  })
}

/** Ends all active runs of a contact. @throws MLR_INPUT_INVALID */
export function abortAllFlows(
  context: MailerContext,
  externalId: string,
  options: AbortOptions = {}
): Promise<Aborted> {
  return endRuns(context, { externalId }, options, {
    action: 'flow.abort_all',
    resource: { collection: 'mailer_flow_runs' }
  })
}

interface AuditedAs extends Partial<Acting> {
  readonly action: string
  readonly resource: { readonly collection: string; readonly id?: string; readonly slug?: string }
}

/** Why runs are ended by the mailer itself. */
interface EndOptions extends AbortOptions {
  /** In the place of the reason of a host. */
  readonly exitReason?: string
}

/** Which runs; all that are set must fit. */
export type RunFilter = Partial<Pick<FlowRunRow, '_id' | 'externalId' | 'flowId'>>

/**
 * Ends active runs in one transaction with the audit entry. A run that a worker holds is ended as well: the
 * result of its pass no longer counts, and the worker cancels what it has just queued.
 */
export async function endRuns(
  context: MailerContext,
  filter: RunFilter,
  options: EndOptions,
  entry: AuditedAs
): Promise<Aborted> {
  const { reason, actor = 'system:host', matchTriggerProperties = {} } = options
  const { externalId } = filter
  if (externalId !== undefined)
    checkedInput('abortFlow', schema, { externalId, ...(reason !== undefined && { reason }) })
  const { collections, clock, queues } = context
  const byHost = reason === undefined ? 'aborted_by_host' : `aborted_by_host:${reason}`
  const { exitReason = byHost } = options
  return context.withTransaction(async (session) => {
    const now = clock.now()
    const active = await collections.flowRuns
      .find(
        { ...filter, status: 'active' },
        { session, projection: { path: 1, triggerEvent: 1, externalId: 1 } }
      )
      .limit(MOST_RUNS)
      .toArray()
    const ids = active.filter(isMatch(matchTriggerProperties)).map(({ _id }) => _id)
    if (ids.length === 0) return { abortedRuns: 0, cancelledSends: 0 }
    const runs = { _id: { $in: ids } }
    await queues.flowRuns.withdraw(runs, { state: 'done', session })
    const exited = { at: now, path: '', action: 'exited', detail: { reason: exitReason } } as const
    await collections.flowRuns.updateMany(
      runs,
      {
        $set: { status: 'exited', exitReason, exitedAt: now },
        $unset: { waitingFor: 1, waitingMatch: 1, waitSince: 1, nextActionAt: 1 },
        $push: { history: { $each: [exited], $slice: -MAX_HISTORY } }
      },
      { session }
    )
    const sends = { flowRunId: { $in: ids } }
    const cancelledSends = await cancelSends(context, sends, RUN_ABORTED, { session })
    const whose = filter._id === undefined ? externalId : active[0]?.externalId
    const after = { ...defined({ externalId: whose }), exitReason, abortedRuns: ids.length }
    await audit(context, { actor, ...entry, after: { ...after, cancelledSends } }, { session })
    return { abortedRuns: ids.length, cancelledSends }
  })
}

const isMatch =
  (wanted: Readonly<Record<string, unknown>>) =>
  ({ triggerEvent }: Pick<FlowRunRow, 'triggerEvent'>): boolean =>
    Object.entries(wanted).every(
      ([name, value]) =>
        triggerEvent !== null &&
        Object.hasOwn(triggerEvent.properties, name) &&
        triggerEvent.properties[name] === value
    )
