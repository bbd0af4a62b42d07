// What a plugin that holds the mail of a sender domain knows of it.

/** A broadcast that waits for the plugin that paused it. */
export interface HeldBroadcast {
  readonly slug: string
  readonly name: string
  /** Mails that go out when it is resumed. */
  readonly held: number
  /** Of these, mails to addresses that had no mail before. */
  readonly risky: number
}

/** Of the mailer, for plugins that hold mail. */
export interface HeldMailReads {
  /**
   * How many mails of flows, campaigns and single mails a gate holds now, counted to 10,000: those of one From
   * domain that were held with the `error` of that gate. Broadcasts count their own.
   */
  countHeld(by: {
    /** Lower case; null for mail whose From address has no domain. */
    readonly senderDomain: string | null
    readonly error: string
  }): Promise<number>
  /** Broadcasts that nothing but `pauseBroadcasts` under this name pauses, with the mails that its end lets go. At most 5. */
  heldBroadcasts(by: string): Promise<readonly HeldBroadcast[]>
  /**
   * The broadcast that the newest 100 marketing mails of a From domain with a status are all from; null when there
   * are none, or they are not all from one.
   */
  broadcastBehind(mails: {
    /** Lower case. */
    readonly senderDomain: string
    readonly status: 'bounced' | 'complained'
  }): Promise<{ readonly slug: string; readonly name: string } | null>
}
