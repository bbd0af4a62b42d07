// A task as clients read it: in the form of 2025-11-25, and in that of the extension of 2026-07-28. Pure.
import type { TaskRow } from './task-row.ts'
import { POLL_MS } from './task-runs.ts'

const common = ({ _id: taskId, message: statusMessage, at, changedAt }: TaskRow) => ({
  taskId,
  statusMessage,
  createdAt: at.toISOString(),
  lastUpdatedAt: changedAt.toISOString()
})

const keptMs = ({ at, expiresAt }: TaskRow): number => expiresAt.getTime() - at.getTime()

/** 2025-11-25: a tool that refused makes a failed task. */
export const earlierTask = (row: TaskRow) => ({
  ...common(row),
  status: row.state === 'completed' && row.isError ? ('failed' as const) : row.state,
  ttl: keptMs(row),
  pollInterval: POLL_MS
})

/** 2026-07-28: a tool that refused has completed its task. */
export const currentTask = (row: TaskRow) => ({
  ...common(row),
  status: row.state,
  ttlMs: keptMs(row),
  pollIntervalMs: POLL_MS
})

/** With the result or the error of one that is over. */
export const currentTaskWithResult = (row: TaskRow) => ({
  ...currentTask(row),
  ...(row.state === 'completed' && { result: resultOf(row) }),
  ...(row.state === 'failed' && { error: row.fault })
})

/** Of a completed task. */
export const resultOf = ({ result = '{}' }: TaskRow): Record<string, unknown> => JSON.parse(result)
