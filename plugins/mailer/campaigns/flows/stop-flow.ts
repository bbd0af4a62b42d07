// Stops a flow for everybody: it starts no more runs, and those under way end with their mails that have not left.
import type { MailerContext } from '../../ledger/context.ts'
import type { FlowRow } from '../../ledger/flow-rows.ts'
import { type Aborted, endRuns } from './end-runs.ts'
import { type By, pauseFlow } from './flow-operations.ts'

/** Why runs ended whose flow was stopped. */
export const FLOW_STOPPED = 'flow_stopped'

type Paused = Awaited<ReturnType<typeof pauseFlow>>

/** A flow that is stopped, with what that came to; or why it was not paused. */
export type StoppedFlow =
  | Exclude<Paused, { readonly ok: true }>
  | ({ readonly ok: true; readonly flow: FlowRow; readonly revision: number } & Aborted)

/** Pauses the flow first, so that no run starts behind the last that was ended. It may be called again after a crash. */
export async function stopFlow(context: MailerContext, slug: string, by: By): Promise<StoppedFlow> {
  const paused = await pauseFlow(context, slug, by)
  if (!paused.ok) return paused
  const { _id: flowId } = paused.flow
  const resource = { collection: 'mailer_flows', id: flowId, slug }
  const options = { actor: by.actor, exitReason: FLOW_STOPPED }
  const sum = { abortedRuns: 0, cancelledSends: 0 }
  for (;;) {
    const ended = await endRuns(context, { flowId }, options, {
      ...by,
      action: 'flow.stop',
      resource
    })
    if (ended.abortedRuns === 0) return { ...paused, ...sum }
    sum.abortedRuns += ended.abortedRuns
    sum.cancelledSends += ended.cancelledSends
  }
}
