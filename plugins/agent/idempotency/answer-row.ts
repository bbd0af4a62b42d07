// A row of agent_answers: what a POST with an Idempotency-Key was answered.

/** Kept for a day. */
export interface AnswerRow {
  /** Hash of actor and key. */
  readonly _id: string
  /** Hash of the request: the same key is for the same request. */
  readonly request: string
  readonly at: Date
  readonly state: 'running' | 'done'
  /** Which process works on it, and until when the others believe so. */
  readonly lease: string
  readonly leaseUntil: Date
  /** Of the answer. */
  readonly status?: number
  readonly contentType?: string
  readonly body?: string
}
