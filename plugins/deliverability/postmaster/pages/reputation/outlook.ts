// What the page reads of Outlook's figures, when the SNDS plugin is enabled.

export interface OutlookDay {
  readonly activityEnd: string
  readonly messageRecipients: number | null
  readonly filterResult: 'GREEN' | 'YELLOW' | 'RED' | 'UNKNOWN'
  readonly complaintRate: number | null
  readonly trapMessageCount: number | null
}

export interface OutlookReport {
  readonly configured: boolean
  readonly ips: readonly { readonly ip: string; readonly latest: OutlookDay }[]
  readonly ranges: readonly {
    readonly firstIp: string
    readonly lastIp: string
    readonly isBlocked: boolean
    readonly reason: string | null
  }[]
  readonly latestRunAt: string | null
  readonly errorMessage: string | null
}
