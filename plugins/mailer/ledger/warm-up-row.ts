// What a sender domain sent on one day of its warm-up, as stored.

/** A row of `mailer_warm_up`: what left for one mailbox provider on one day. */
export interface WarmUpRow {
  /** `<sender domain> <mailbox provider> <day>` */
  readonly _id: string
  readonly sent: number
  readonly expiresAt: Date
}
