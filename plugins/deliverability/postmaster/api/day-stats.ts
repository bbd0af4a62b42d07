// What Gmail says about the mail of a domain on one day.

/** A requirement of Gmail, and whether the domain meets it. */
export interface Compliance {
  /** As `SPF` or `ONE_CLICK_UNSUBSCRIBE`. */
  readonly requirement: string
  /** As `COMPLIANT` or `NEEDS_WORK`. */
  readonly status: string
  /** As `NO_UNSUB_GENERAL`; null when Gmail gives none. */
  readonly reason: string | null
}

/** Rejected or delayed mail, as a share of all. */
export interface DeliveryError {
  readonly errorClass: string
  readonly errorType: string | null
  readonly errorRatio: number
}

/** Mails with a Feedback-ID that many people report. */
export interface FeedbackLoop {
  readonly id: string
  readonly spamRatio: number | null
}

/** The figures of one day. Ratios are 0 to 1; null where Gmail gives none. */
export interface DayStats {
  /** `YYYY-MM-DD` */
  readonly date: string
  readonly userReportedSpamRatio: number | null
  /** HIGH, MEDIUM, LOW or BAD: only the old API has it. */
  readonly domainReputation: string | null
  readonly spfSuccessRatio: number | null
  readonly dkimSuccessRatio: number | null
  readonly dmarcSuccessRatio: number | null
  readonly inboundEncryptionRatio: number | null
  readonly outboundEncryptionRatio: number | null
  readonly deliveryErrors: readonly DeliveryError[]
  readonly spammyFeedbackLoops: readonly FeedbackLoop[]
}

/** A day without a figure. */
export const emptyDay = (date: string): DayStats => ({
  date,
  userReportedSpamRatio: null,
  domainReputation: null,
  spfSuccessRatio: null,
  dkimSuccessRatio: null,
  dmarcSuccessRatio: null,
  inboundEncryptionRatio: null,
  outboundEncryptionRatio: null,
  deliveryErrors: [],
  spammyFeedbackLoops: []
})

/** What was read of a domain. */
export interface DomainStats {
  readonly source: 'v2' | 'v1'
  /** Newest first. */
  readonly days: readonly DayStats[]
  /** Empty with the old API. */
  readonly compliance: readonly Compliance[]
}
