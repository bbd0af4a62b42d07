// Changes an active run, of a flow or of a program: in one transaction with its audit entry.
import type { ClientSession, Collection, Filter } from 'mongodb'
import { audit } from '../ledger/audit/audit.ts'
import type { MailerContext } from '../ledger/context.ts'
import type { Acting } from '../ledger/template-input.ts'
import { refuse, type VersionRefusal } from '../ledger/versions/versioned.ts'

/** What runs of flows and programs have in common. */
interface ActiveRow {
  readonly _id: string
  readonly status: string
}

/** What tells one kind of runs from another. */
export interface RunKind<Row extends ActiveRow> {
  /** As the audit log names it. */
  readonly collection: string
  runs(context: MailerContext): Collection<Row>
  /** The slug of its flow or program. */
  slugOf(run: Row): string
}

/** What changing a run came to. */
export type RunChanged =
  | { readonly ok: true; readonly runId: string }
  | VersionRefusal<'not_found' | 'run_not_active' | 'run_busy'>

/** Of the audit entry. */
interface RunChange {
  readonly before?: unknown
  readonly after?: unknown
}

/** When a change is made: the time, and the transaction that it is part of. */
export interface Changing {
  readonly session: ClientSession
  readonly now: Date
}

/** Applies a change to a run that is active. `apply` answers undefined when a worker holds the run. */
export function changeRun<Row extends ActiveRow>(
  context: MailerContext,
  kind: RunKind<Row>,
  runId: string,
  { owner: _owner, ...write }: Acting & { readonly action: string },
  apply: (run: Row, changing: Changing) => Promise<RunChange | undefined>
): Promise<RunChanged> {
  return context.withTransaction(async (session) => {
    const found = await kind.runs(context).findOne({ _id: runId } as Filter<Row>, { session })
    if (found === null) return refuse('not_found', `There is no run ${runId}.`)
    const run = found as Row
    if (run.status !== 'active') return notActive(runId)
    const change = await apply(run, { session, now: context.clock.now() })
    if (change === undefined)
      return refuse('run_busy', 'A worker holds the run at this moment. Try again.')
    const resource = { collection: kind.collection, id: runId, slug: kind.slugOf(run) }
    await audit(context, { ...write, resource, ...change }, { session })
    return { ok: true, runId }
  })
}

/** The refusal of a run that has ended. */
export const notActive = (runId: string): VersionRefusal<'run_not_active'> =>
  refuse('run_not_active', `The run ${runId} is not active.`)
