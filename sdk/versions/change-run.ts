// Changes an active run of a versioned document: in one transaction with its audit entry.
import type { ClientSession, Collection, Filter } from 'mongodb'
import { type RecordChange, refuse, type VersionRefusal, type VersionSeams } from './versioned.ts'

/** What all runs have in common. */
export interface ActiveRow {
  readonly _id: string
  readonly status: string
}

/** What tells one kind of runs from another. */
export interface RunKind<Row extends ActiveRow, Seams extends VersionSeams, By extends object> {
  /** As the audit log names it. */
  readonly collection: string
  runs(seams: Seams): Collection<Row>
  /** The slug of the document that it follows. */
  slugOf(run: Row): string
  readonly record: RecordChange<Seams, By>
}

/** What changing a run came to. */
export type RunChanged =
  | { readonly ok: true; readonly runId: string }
  | VersionRefusal<'not_found' | 'run_not_active' | 'run_busy'>

/** Of the audit entry. */
export interface RunChange {
  readonly before?: unknown
  readonly after?: unknown
}

/** When a change is made: the time, and the transaction that it is part of. */
export interface Changing {
  readonly session: ClientSession
  readonly now: Date
}

/** Applies a change to a run that is active. `apply` answers undefined when a worker holds the run. */
export function changeRun<Row extends ActiveRow, Seams extends VersionSeams, By extends object>(
  seams: Seams,
  kind: RunKind<Row, Seams, By>,
  runId: string,
  write: By & { readonly action: string },
  apply: (run: Row, changing: Changing) => Promise<RunChange | undefined>
): Promise<RunChanged> {
  return seams.withTransaction(async (session) => {
    const found = await kind.runs(seams).findOne({ _id: runId } as Filter<Row>, { session })
    if (found === null) return refuse('not_found', `There is no run ${runId}.`)
    const run = found as Row
    if (run.status !== 'active') return notActive(runId)
    const change = await apply(run, { session, now: seams.clock.now() })
    if (change === undefined)
      return refuse('run_busy', 'A worker holds the run at this moment. Try again.')
    const resource = { collection: kind.collection, id: runId, slug: kind.slugOf(run) }
    await kind.record(seams, { action: write.action, resource, ...change }, write, session)
    return { ok: true, runId }
  })
}

/** The refusal of a run that has ended. */
export const notActive = (runId: string): VersionRefusal<'run_not_active'> =>
  refuse('run_not_active', `The run ${runId} is not active.`)
