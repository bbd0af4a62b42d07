// An answer with what stands beside its body: status, revision, the next page.

/** What an answer carries beside its body. */
export interface AnswerFacts {
  /** One of the operation's `status`. Default: the first. */
  readonly status?: number
  /** Sent as ETag, for the `If-Match` of the next change. */
  readonly revision?: number | undefined
  /** Sent as `x-next-cursor`; left out on the last page. */
  readonly nextCursor?: string | undefined
  /** As `content-disposition` of a download. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Made by `answered`. */
export class Answered<T> {
  readonly body: T
  readonly facts: AnswerFacts

  constructor(body: T, facts: AnswerFacts) {
    this.body = body
    this.facts = facts
  }
}

/** A body with its facts, for `run` to return. A body without any is returned as it is. */
export const answered = <T>(body: T, facts: AnswerFacts): Answered<T> => new Answered(body, facts)
