// What every scoring service offers, whatever its protocol is.

/** The mail that is scored. */
export interface ScoredMail {
  /** Its bytes as they would be sent (RFC 5322). */
  message(): Promise<Uint8Array>
}

/** Something that the service found. */
export interface ScoreFeedback {
  readonly category: string
  readonly severity: string
  readonly message: string
}

/** A finished check. */
export interface ContentScore {
  /** 0 to 10; 10 is best. */
  readonly score: number
  readonly feedback: readonly ScoreFeedback[]
  readonly summary: string | null
}

/** A check that was started. */
export interface StartedCheck {
  readonly checkId: string
  /** Where the mail must be sent; null when the service has it already. */
  readonly address: string | null
  /** Set when the service answers at once. */
  readonly score: ContentScore | null
}

/** A scoring service. Both reject with SCR_CALL_FAILED or SCR_ANSWER_INVALID. */
export interface ContentScorerClient {
  start(mail: ScoredMail, call: { readonly signal: AbortSignal }): Promise<StartedCheck>
  /** null while the check is not finished. */
  result(checkId: string, signal: AbortSignal): Promise<ContentScore | null>
}
