// The look of a sender as stored.

/** How the mails of a sender look. Texts may hold slots. */
export interface Brand {
  /** Colours as `#0b6e8f`. */
  readonly accent: string
  readonly background: string
  readonly surface: string
  readonly ink: string
  readonly muted: string
  /** Names of fonts that readers have, as `Helvetica, Arial, sans-serif`. */
  readonly font: string
  /** Empty: the name is shown instead. */
  readonly logoUrl: string
  readonly logoWidth: number
  readonly name: string
  /** Lines at the end of every mail. */
  readonly footer: string
  /** The words of the unsubscribe link. */
  readonly unsubscribe: string
}

/** A row of `mailer_brands`; `_id` is a sender domain, or `default`. */
export interface BrandRow extends Brand {
  readonly _id: string
  readonly updatedAt: Date
  readonly updatedBy: string
}
