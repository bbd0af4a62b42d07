// A row of agent_tasks: a long tool call whose result the client fetches later.

/** Kept for an hour. */
export interface TaskRow {
  /** Random: it is given to the client. */
  readonly _id: string
  /** Hash of the actor who called: tasks of others are unknown to a caller. */
  readonly owner: string
  readonly tool: string
  readonly state: TaskState
  /** How far it is, or why it ended. */
  readonly message: string
  readonly at: Date
  readonly changedAt: Date
  /** The process that works on it moves this on; a task whose process died is past it. */
  readonly aliveUntil: Date
  readonly expiresAt: Date
  /** JSON of the tool's result, of a completed task. */
  readonly result?: string
  /** The tool refused or failed. */
  readonly isError?: boolean
  /** Of a failed task. */
  readonly fault?: TaskFault
}

/** All but `working` are final. */
export type TaskState = 'working' | 'completed' | 'failed' | 'cancelled'

/** An error of JSON-RPC. */
export interface TaskFault {
  readonly code: number
  readonly message: string
}

/** What becomes of a task that is at work. */
export type TaskChange = Partial<Omit<TaskRow, '_id' | 'owner' | 'tool' | 'at' | 'expiresAt'>>
