// What receivers say about mails, as complaints of feedback loops.

/** What a receiver says about one mail outside the provider's webhooks, as by a feedback loop (RFC 5965). */
export interface MailFeedback {
  /** A complaint suppresses the address; an unsubscribe ends marketing mail to it. */
  readonly type: 'complaint' | 'unsubscribe'
  /** Who reports, as `feedback-loop`. At most 64 characters. */
  readonly source: string
  /** Unique per source: the same id is the same feedback, for ever. At most 512 characters. */
  readonly feedbackId: string
  readonly occurredAt: Date
  /** The send, when the mail names it. */
  readonly sendId?: string
  /** The Message-ID of the mail. */
  readonly messageId?: string
  /** The recipient, when the receiver does not hide it. Proves nothing: only the named mail's own recipient counts. */
  readonly email?: string
}

/** What became of feedback. */
export interface FeedbackResult {
  /** The mail that it names; null: it names no mail of ours, so nothing was recorded and nothing follows. */
  readonly sendId: string | null
}
