// Which tasks of the tick are due. Pure.
import type { TickTask } from '../../contracts/mailer-tick.ts'
import { type StateRow, taskRow } from '../../ledger/state-row.ts'

/** A task that is due, with its row as it was read. */
export interface DueTask {
  readonly task: TickTask
  readonly row: StateRow | undefined
}

/** Tasks whose time has come. A task without a time is due with every tick. */
export function dueTasks(
  tasks: readonly TickTask[],
  rows: readonly StateRow[],
  now: Date
): readonly DueTask[] {
  const byId = new Map(rows.map((row) => [row._id, row]))
  return tasks.flatMap((task) => {
    const row = byId.get(taskRow(task.name))
    const passedMs = now.getTime() - (row?.startedAt?.getTime() ?? 0)
    // A start that is still to come was noted before the clock was set back.
    const isWaiting = passedMs >= 0 && passedMs < (task.everySeconds ?? 0) * 1000
    return isWaiting ? [] : { task, row }
  })
}
