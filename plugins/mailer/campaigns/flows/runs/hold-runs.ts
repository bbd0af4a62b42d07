// Holds the runs of flows whose owner may no longer send, before anything else is read for them.
import type { ItemResult } from '@keelson/sdk'
import type { MailerContext } from '../../../ledger/context.ts'
import type { FlowRunRow } from '../../../ledger/flow-rows.ts'
import { flowProblems, OWNER_FORBIDDEN } from '../../owner-hold.ts'
import { heldRun, laterRun } from './settle-run.ts'

/** Sets the results of the runs that wait. Returns the others. */
export async function holdRuns(
  context: MailerContext,
  runs: readonly FlowRunRow[],
  results: Map<string, ItemResult>
): Promise<readonly FlowRunRow[]> {
  const now = context.clock.now()
  const problems = await problemsOf(context, runs)
  if (problems === undefined) {
    for (const { _id } of runs) results.set(_id, laterRun(now))
    return []
  }
  return runs.filter((run) => {
    const message = problems.get(run.flowId)
    if (message === undefined) return true
    results.set(run._id, heldRun(run, { cause: OWNER_FORBIDDEN, message }, now))
    return false
  })
}

/** Undefined when people or tokens cannot be looked up: no fault of the runs, so it does not count as a try. */
async function problemsOf(
  context: MailerContext,
  runs: readonly FlowRunRow[]
): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    return await flowProblems(
      context,
      runs.map(({ flowId }) => flowId)
    )
  } catch (error) {
    context.log.warn({ err: error }, 'mailer: flow runs wait, the right of their owner is unknown')
    return undefined
  }
}
