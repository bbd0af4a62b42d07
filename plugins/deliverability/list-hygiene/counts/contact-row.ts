// What happened to the mail of one contact.

/** Counts of mails. */
export interface MailCounts {
  readonly sent?: number
  readonly bounced?: number
  readonly hardBounced?: number
  readonly complained?: number
}

/** A row of `list_hygiene_contacts`: what happened to the mail of one contact. */
export interface ContactRow {
  /** The `externalId` of the contact. */
  readonly _id: string
  /** Since the plugin runs. */
  readonly lifetime?: MailCounts
  /** By day since the epoch: those of the last 90 days. */
  readonly days?: Readonly<Record<string, MailCounts>>
  /** The tag that the contact has as a sunset candidate. */
  readonly sunsetTag?: string
}

const DAY_MS = 86_400_000

/** Days since the epoch. */
export const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS)
