// Which tasks of the tick are due. Pure.
import type { TickTask } from '../../contracts/mailer-tick.ts'
import { type StateRow, taskRow } from '../../ledger/state-row.ts'

/** A task that is due, with its row as it was read. */
export interface DueTask {
  readonly task: TickTask
  readonly row: StateRow | undefined
}

/** Tasks whose time has come and which no process is at. A task without a time is due with every tick. */
export function dueTasks(
  tasks: readonly TickTask[],
  rows: readonly StateRow[],
  now: Date
): readonly DueTask[] {
  const byId = new Map(rows.map((row) => [row._id, row]))
  return tasks.flatMap((task) => {
    const row = byId.get(taskRow(task.name))
    const { startedAt, claimedUntil } = row ?? {}
    const waitsUntil =
      startedAt === undefined ? 0 : startedAt.getTime() + (task.everySeconds ?? 0) * 1000
    const isTaken = claimedUntil !== undefined && claimedUntil > now
    return isTaken || waitsUntil > now.getTime() ? [] : { task, row }
  })
}
