// What each operation of the mailer takes, answers and refuses. Printed by `npm run reference`.

interface TemplateLine {
  readonly slug: string
  readonly revision: number
  readonly version: number
  readonly publishedAt?: string
  readonly publishedBy?: string
  readonly stats: { readonly sent: number; readonly delivered: number; readonly opened: number; readonly clicked: number }
  readonly createdAt: string
  readonly updatedAt: string
  readonly name: string
  readonly description?: string
  readonly kind: 'marketing' | 'transactional'
  readonly category?: string
  readonly tags: readonly (string)[]
  readonly providerOverride?: string
  readonly providerPatienceHours?: number
  readonly subject: string
  readonly preheader: string
  readonly fromName: string
  readonly fromEmail: string
  readonly replyTo: string | null
  readonly bodyFormat: 'multipart' | 'text_only'
  readonly trackOpens: boolean
  readonly trackClicks: boolean
  readonly hasDraft: boolean
}

interface Template {
  readonly slug: string
  readonly revision: number
  readonly version: number
  readonly publishedAt?: string
  readonly publishedBy?: string
  readonly stats: { readonly sent: number; readonly delivered: number; readonly opened: number; readonly clicked: number }
  readonly createdAt: string
  readonly updatedAt: string
  readonly name: string
  readonly description?: string
  readonly kind: 'marketing' | 'transactional'
  readonly category?: string
  readonly tags: readonly (string)[]
  readonly providerOverride?: string
  readonly providerPatienceHours?: number
  readonly subject: string
  readonly preheader: string
  readonly fromName: string
  readonly fromEmail: string
  readonly replyTo: string | null
  readonly bodyFormat: 'multipart' | 'text_only'
  readonly trackOpens: boolean
  readonly trackClicks: boolean
  readonly variablesSchema?: { readonly [name: string]: { readonly type: 'string' | 'number' | 'boolean' | 'date' | 'array' | 'object'; readonly required?: boolean; readonly description?: string; readonly defaultValue?: unknown } }
  readonly body: { readonly html: string; readonly plainText: string; readonly mjml: string; readonly editorJson: unknown }
  readonly draft: TemplateDraft | null
}

interface TemplateDraft {
  readonly name: string
  readonly description?: string
  readonly kind: 'marketing' | 'transactional'
  readonly category?: string
  readonly tags: readonly (string)[]
  readonly providerOverride?: string
  readonly providerPatienceHours?: number
  readonly subject: string
  readonly preheader: string
  readonly fromName: string
  readonly fromEmail: string
  readonly replyTo: string | null
  readonly bodyFormat: 'multipart' | 'text_only'
  readonly trackOpens: boolean
  readonly trackClicks: boolean
  readonly variablesSchema?: { readonly [name: string]: { readonly type: 'string' | 'number' | 'boolean' | 'date' | 'array' | 'object'; readonly required?: boolean; readonly description?: string; readonly defaultValue?: unknown } }
  readonly body: { readonly html: string; readonly plainText: string; readonly mjml: string; readonly editorJson: unknown }
  readonly notes?: string
}

interface Done {
  readonly ok: true
}

interface TemplateVersionLine {
  readonly version: number
  readonly subject: string
  readonly bodyHash: string
  readonly publishedAt: string
  readonly publishedBy: string
}

interface TemplateVersion {
  readonly version: number
  readonly subject: string
  readonly bodyHash: string
  readonly publishedAt: string
  readonly publishedBy: string
  readonly slug: string
  readonly name: string
  readonly description?: string
  readonly kind: 'marketing' | 'transactional'
  readonly category?: string
  readonly tags: readonly (string)[]
  readonly providerOverride?: string
  readonly providerPatienceHours?: number
  readonly preheader: string
  readonly fromName: string
  readonly fromEmail: string
  readonly replyTo: string | null
  readonly bodyFormat: 'multipart' | 'text_only'
  readonly trackOpens: boolean
  readonly trackClicks: boolean
  readonly variablesSchema?: { readonly [name: string]: { readonly type: 'string' | 'number' | 'boolean' | 'date' | 'array' | 'object'; readonly required?: boolean; readonly description?: string; readonly defaultValue?: unknown } }
  readonly body: { readonly html: string; readonly plainText: string; readonly mjml: string; readonly editorJson: unknown }
  readonly compiledHtml: string
  readonly compiledText: string
}

interface Changes {
  readonly changes: readonly ({ readonly field: string; readonly before?: unknown; readonly after?: unknown; readonly hunks?: readonly ({ readonly oldStart: number; readonly oldLines: number; readonly newStart: number; readonly newLines: number; readonly lines: readonly (string)[] })[]; readonly isTooLarge?: boolean })[]
}

interface TemplateUse {
  readonly kind: string
  readonly slug: string
  readonly name: string
}

interface TemplatePreview {
  readonly subject: string
  readonly preheader: string
  readonly html: string
  readonly plainText: string
  readonly fromName: string
  readonly fromEmail: string
  readonly replyTo: string | null
  readonly contact: { readonly externalId: string; readonly email: string }
  readonly variables: readonly (VariableValue)[]
  readonly warnings: readonly (CompileWarning)[]
}

interface VariableValue {
  readonly path: string
  readonly value?: string
  readonly isMissing: boolean
}

interface CompileWarning {
  readonly message: string
  readonly line?: number
  readonly tagName?: string
  readonly formattedMessage?: string
}

interface TemplateCheck {
  readonly refusal: unknown
  readonly warnings: readonly (CompileWarning)[]
  readonly reports: unknown
  readonly variables: readonly ({ readonly path: string; readonly isUsed: boolean; readonly spec?: unknown })[]
}

interface TemplatePublished {
  readonly ok: true
  readonly version: number
  readonly warnings: readonly (CompileWarning)[]
  readonly [name: string]: unknown
}

interface TemplatePut {
  readonly created: boolean
  readonly template: PutTemplate
  readonly reports: { readonly [name: string]: unknown }
}

interface PutTemplate {
  readonly slug: string
  readonly revision: number
  readonly version: number
  readonly publishedAt?: string
  readonly publishedBy?: string
  readonly stats: { readonly sent: number; readonly delivered: number; readonly opened: number; readonly clicked: number }
  readonly createdAt: string
  readonly updatedAt: string
  readonly name: string
  readonly description?: string
  readonly kind: 'marketing' | 'transactional'
  readonly category?: string
  readonly tags: readonly (string)[]
  readonly providerOverride?: string
  readonly providerPatienceHours?: number
  readonly subject: string
  readonly preheader: string
  readonly fromName: string
  readonly fromEmail: string
  readonly replyTo: string | null
  readonly bodyFormat: 'multipart' | 'text_only'
  readonly trackOpens: boolean
  readonly trackClicks: boolean
  readonly variablesSchema?: { readonly [name: string]: { readonly type: 'string' | 'number' | 'boolean' | 'date' | 'array' | 'object'; readonly required?: boolean; readonly description?: string; readonly defaultValue?: unknown } }
}

interface SenderBrand {
  readonly sender: string
  readonly isOwn: boolean
  readonly brand: Brand
}

interface Brand {
  readonly accent: string
  readonly background: string
  readonly surface: string
  readonly ink: string
  readonly muted: string
  readonly font: string
  readonly logoUrl: string
  readonly logoWidth: number
  readonly name: string
  readonly footer: string
  readonly unsubscribe: string
}

interface MailImage {
  readonly id: string
  readonly name: string
  readonly type: 'png' | 'jpeg' | 'gif' | 'webp'
  readonly width: number
  readonly height: number
  readonly size: number
  readonly url: string
  readonly createdAt: string
  readonly createdBy: string
}

interface FlowLine {
  readonly slug: string
  readonly name: string
  readonly description?: string
  readonly goal?: string
  readonly audience?: string
  readonly expectedVolumePerWeek?: number
  readonly enabled: boolean
  readonly enabledAt?: string
  readonly trigger: FlowTrigger
  readonly version: number
  readonly revision: number
  readonly publishedAt?: string
  readonly publishedBy?: string
  readonly lastTriggerScanAt?: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly hasDraft: boolean
  readonly stepCount: number
}

interface FlowTrigger {
  readonly type: 'event' | 'segment_enter' | 'cron'
  readonly eventName?: string
  readonly segmentDefinition?: unknown
  readonly cronExpression?: string
  readonly once: boolean
}

interface Flow {
  readonly slug: string
  readonly name: string
  readonly description?: string
  readonly goal?: string
  readonly audience?: string
  readonly expectedVolumePerWeek?: number
  readonly enabled: boolean
  readonly enabledAt?: string
  readonly trigger: FlowTrigger
  readonly version: number
  readonly revision: number
  readonly publishedAt?: string
  readonly publishedBy?: string
  readonly lastTriggerScanAt?: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly ownerProblem?: string
  readonly steps: readonly (FlowStep)[]
  readonly draft: FlowDraft | null
  readonly gate?: { readonly tag: string; readonly of: number } | null
}

interface FlowStep {
  readonly type: string
  readonly [name: string]: unknown
}

interface FlowDraft {
  readonly steps: readonly (FlowStep)[]
  readonly trigger?: FlowTrigger
  readonly goal?: string
  readonly notes?: string
}

interface FlowStopped {
  readonly ok: true
  readonly slug: string
  readonly name: string
  readonly description?: string
  readonly goal?: string
  readonly audience?: string
  readonly expectedVolumePerWeek?: number
  readonly enabled: boolean
  readonly enabledAt?: string
  readonly trigger: FlowTrigger
  readonly version: number
  readonly revision: number
  readonly publishedAt?: string
  readonly publishedBy?: string
  readonly lastTriggerScanAt?: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly ownerProblem?: string
  readonly steps: readonly (FlowStep)[]
  readonly draft: FlowDraft | null
  readonly gate?: { readonly tag: string; readonly of: number } | null
  readonly abortedRuns: number
  readonly cancelledSends: number
}

interface FlowPublished {
  readonly ok: true
  readonly slug: string
  readonly name: string
  readonly description?: string
  readonly goal?: string
  readonly audience?: string
  readonly expectedVolumePerWeek?: number
  readonly enabled: boolean
  readonly enabledAt?: string
  readonly trigger: FlowTrigger
  readonly version: number
  readonly revision: number
  readonly publishedAt?: string
  readonly publishedBy?: string
  readonly lastTriggerScanAt?: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly ownerProblem?: string
  readonly steps: readonly (FlowStep)[]
  readonly draft: FlowDraft | null
  readonly gate?: { readonly tag: string; readonly of: number } | null
}

interface FlowVersionLine {
  readonly version: number
  readonly publishedAt: string
  readonly publishedBy: string
}

interface FlowVersion {
  readonly version: number
  readonly publishedAt: string
  readonly publishedBy: string
  readonly steps: readonly (FlowStep)[]
  readonly trigger?: FlowTrigger
  readonly goal?: string
}

interface FlowArmed {
  readonly version: number
  readonly alreadyEnabled: boolean
  readonly watermark: string
  readonly eventName: string | null
  readonly skippedEvents: number
  readonly pendingEvents: number
}

interface FlowGated {
  readonly version: number
  readonly enabled: boolean
  readonly of: number
}

interface FlowCounts {
  readonly version: number
  readonly totals: { readonly active: number; readonly completed: number; readonly exited: number; readonly failed: number }
  readonly steps: readonly ({ readonly path: string; readonly active: number; readonly completed: number; readonly exited: number; readonly failed: number })[]
  readonly activeVersions: readonly ({ readonly version: number; readonly active: number })[]
  readonly notEntered: readonly ({ readonly reason: 'not_subscribed' | 'pending_doi' | 'unsubscribed' | 'bounced' | 'complained' | 'suppressed' | 'no_address' | 'was_in_it'; readonly count: number })[]
}

interface NotEnteredContact {
  readonly externalId: string
  readonly reason: 'not_subscribed' | 'pending_doi' | 'unsubscribed' | 'bounced' | 'complained' | 'suppressed' | 'no_address' | 'was_in_it'
  readonly at: string
}

interface FlowSimulation {
  readonly version: number
  readonly enteredAt: string
  readonly reasons: readonly (string)[]
  readonly reasonCodes: readonly (string)[]
  readonly path: readonly ({ readonly at: string; readonly stepIndex: number; readonly branchPath: string; readonly type: string; readonly outcome: string; readonly detail?: { readonly [name: string]: unknown } })[]
  readonly sends: readonly ({ readonly at: string; readonly stepIndex: number; readonly branchPath: string; readonly templateSlug: string })[]
  readonly terminal: { readonly kind: 'completed' | 'exited' | 'truncated'; readonly reason: string | null; readonly at: string }
}

interface FlowRun {
  readonly _id: string
  readonly flowSlug: string
  readonly flowVersion: number
  readonly externalId: string
  readonly emailAtEntry: string | null
  readonly triggerEvent: { readonly name: string; readonly properties: { readonly [name: string]: unknown } } | null
  readonly status: 'active' | 'completed' | 'exited' | 'failed'
  readonly path: string
  readonly waitingFor?: string
  readonly waitingMatch?: { readonly property: string; readonly value: string | number | boolean | null }
  readonly waitSince?: string
  readonly nextActionAt?: string
  readonly hold?: RunHold
  readonly history: readonly (FlowRunEntry)[]
  readonly enteredAt: string
  readonly exitedAt?: string
  readonly exitReason?: string
}

interface RunHold {
  readonly cause: string
  readonly message: string
  readonly since: string
}

interface FlowRunEntry {
  readonly at: string
  readonly path: string
  readonly action: string
  readonly detail?: { readonly [name: string]: unknown }
}

interface FlowRunStopped {
  readonly ok: true
  readonly cancelledSends: number
}

interface SegmentCount {
  readonly matched: number
  readonly eligible: number
  readonly excluded: { readonly not_subscribed: number; readonly not_confirmed: number; readonly suppressed: number; readonly no_address: number; readonly never_mailed: number }
}

interface SegmentPreview {
  readonly contacts: readonly (SegmentContact)[]
}

interface SegmentContact {
  readonly externalId: string
  readonly email: string
  readonly tags: readonly (string)[]
  readonly fields: { readonly [name: string]: unknown }
  readonly timezone?: string
  readonly locale?: string
}

interface SegmentLine {
  readonly slug: string
  readonly name: string
  readonly segmentDefinition: unknown
  readonly revision: number
  readonly createdBy: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly usedBy: readonly (SegmentUser)[]
}

interface SegmentUser {
  readonly kind: 'broadcast' | 'flow'
  readonly slug: string
  readonly name: string
}

interface Segment {
  readonly slug: string
  readonly name: string
  readonly segmentDefinition: unknown
  readonly revision: number
  readonly createdBy: string
  readonly createdAt: string
  readonly updatedAt: string
}

interface MailCaller {
  readonly actor: string
  readonly permissions: { readonly canPublish: boolean; readonly canSendBroadcasts: boolean; readonly canManageSuppressions: boolean }
}

interface MailDashboard {
  readonly kpis: { readonly sends: { readonly value: number; readonly delta: number | null }; readonly deliveredRate: { readonly value: number | null; readonly delta: number | null; readonly bounced: number | null }; readonly openRate: { readonly value: number | null; readonly delta: number | null; readonly exclBots: number | null }; readonly clickRate: { readonly value: number | null; readonly delta: number | null } }
  readonly days: number
  readonly series: { readonly hourly: { readonly sends: readonly (number)[]; readonly opens: readonly (number)[] }; readonly course: { readonly times: readonly (string)[]; readonly intervalMs: number; readonly sends: readonly (number)[]; readonly bounced: readonly (number)[]; readonly opens: readonly (number)[]; readonly clicks: readonly (number)[] } }
  readonly health: { readonly status: 'healthy' | 'degraded' | 'tripped' | null; readonly rates: { readonly bounceRate: number | null; readonly hardBounceRate: number | null; readonly complaintRate: number | null; readonly failureRate: number | null } | null; readonly thresholds: { readonly hardBounceRatePctTrip: number; readonly complaintRatePctTrip: number; readonly combinedBounceRatePctTrip: number; readonly failedToSendRatePctDegrade: number } | null }
  readonly queue: { readonly inFlight: number; readonly delayed: number; readonly held: number; readonly waiting: number; readonly providerOk: boolean; readonly providerName: string; readonly providerReason?: string }
  readonly broadcasts: readonly ({ readonly slug: string; readonly name: string; readonly status: 'paused' | 'sending' | 'scheduled'; readonly scheduledAt?: string })[]
  readonly pause: MarketingPause | null
  readonly recentFlows: readonly ({ readonly slug: string; readonly name: string; readonly version: number; readonly updatedAt: string })[]
  readonly recentSends: readonly ({ readonly _id: string; readonly externalId: string; readonly emailAtSend: string | null; readonly templateSlug: string; readonly names?: RowNames; readonly status: string; readonly humanOpenedAt?: string; readonly humanClickedAt?: string; readonly queuedAt: string })[]
  readonly recentAudit: readonly ({ readonly _id: string; readonly at: string; readonly actor: string; readonly names?: RowNames; readonly action: string; readonly resource: { readonly collection: string; readonly id?: string; readonly slug?: string }; readonly before?: unknown; readonly after?: unknown })[]
}

interface MarketingPause {
  readonly reason: string
  readonly by: string
  readonly at: string
}

interface RowNames {
  readonly template?: string
  readonly flow?: string
  readonly broadcast?: string
  readonly segment?: string
  readonly category?: string
  readonly campaign?: string
}

interface SetupStatus {
  readonly overall: 'ok' | 'warn' | 'error'
  readonly generatedAt: string
  readonly checks: readonly (SetupLine)[]
}

interface SetupLine {
  readonly name: string
  readonly label: string
  readonly severity: 'ok' | 'warn' | 'error'
  readonly message: string
  readonly said?: readonly ({ readonly code: string; readonly facts?: { readonly [name: string]: string | number } })[]
  readonly hint?: string
  readonly hintSaid?: readonly ({ readonly code: string; readonly facts?: { readonly [name: string]: string | number } })[]
  readonly href?: string
  readonly items?: readonly ({ readonly label: string; readonly severity: 'ok' | 'warn' | 'error'; readonly message: string; readonly said?: readonly ({ readonly code: string; readonly facts?: { readonly [name: string]: string | number } })[]; readonly hint?: string; readonly hintSaid?: readonly ({ readonly code: string; readonly facts?: { readonly [name: string]: string | number } })[] })[]
}

interface MailVariables {
  readonly schema: unknown
  readonly builtins: readonly (string)[]
}

interface MailSetting {
  readonly name: string
  readonly description: string
  readonly value: unknown
  readonly default: unknown
}

interface MailCategory {
  readonly id: string
  readonly label: string
  readonly description?: string
  readonly policy?: { readonly minGapHours?: number; readonly maxPerRollingDays?: { readonly days: number; readonly count: number }; readonly quietHours?: { readonly start: string; readonly end: string } }
  readonly templates: readonly (string)[]
  readonly optOuts: number
}

interface ProviderStatus {
  readonly name: string
  readonly isDefault: boolean
  readonly isDefaultTransactional: boolean
  readonly fallback: string | null
  readonly sendRatePerSecond: number
  readonly concurrency: number
  readonly canLookUp: boolean
  readonly hasIdempotencyKeys: boolean
  readonly webhookPath: string
  readonly sent: number
  readonly delivered: number
  readonly bounced: number
  readonly failed: number
  readonly lastSentAt: string | null
  readonly lastFailedAt: string | null
}

interface MarketingPauseState {
  readonly pause: MarketingPause | null
}

interface BroadcastLine {
  readonly slug: string
  readonly name: string
  readonly templateSlug: string
  readonly names?: RowNames
  readonly subject?: string
  readonly preheader?: string
  readonly status: 'draft' | 'scheduled' | 'sending' | 'paused' | 'sent' | 'cancelled' | 'failed'
  readonly scheduledAt?: string
  readonly expiresAt?: string
  readonly startedAt?: string
  readonly finishedAt?: string
  readonly recipientCount?: number
  readonly audienceCount?: number
  readonly recipientCap?: number
  readonly queuedCount: number
  readonly pauseReason?: BroadcastPause
  readonly failure?: { readonly code: string; readonly message: string }
  readonly createdBy: string
  readonly createdAt: string
  readonly updatedAt: string
}

interface BroadcastPause {
  readonly code: 'cap_reached' | 'stop_rule' | 'gate' | 'manual'
  readonly by: string
  readonly cause?: string
  readonly message: string
  readonly at: string
}

interface Broadcast {
  readonly slug: string
  readonly name: string
  readonly templateSlug: string
  readonly names?: RowNames
  readonly subject?: string
  readonly preheader?: string
  readonly status: 'draft' | 'scheduled' | 'sending' | 'paused' | 'sent' | 'cancelled' | 'failed'
  readonly scheduledAt?: string
  readonly expiresAt?: string
  readonly startedAt?: string
  readonly finishedAt?: string
  readonly recipientCount?: number
  readonly audienceCount?: number
  readonly recipientCap?: number
  readonly queuedCount: number
  readonly pauseReason?: BroadcastPause
  readonly failure?: { readonly code: string; readonly message: string }
  readonly createdBy: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly revision: number
  readonly segmentDefinition: unknown
  readonly confirmedCount?: number
  readonly respectRecipientTimezone: boolean
  readonly wavePlan?: WavePlan
  readonly nextWaveAt?: string
  readonly order?: { readonly field: string; readonly direction: 'asc' | 'desc' }
  readonly stopRules: StopRules
  readonly splitTest?: SplitTest
  readonly splitPhase?: 'test' | 'deciding' | 'rest'
  readonly winner?: string
  readonly pauses?: readonly (BroadcastPause)[]
}

interface WavePlan {
  readonly people?: number
  readonly percent?: number
  readonly everyMinutes: number
}

interface StopRules {
  readonly enabled: boolean
  readonly hardBounceRatePct: number
  readonly complaintRatePct: number
  readonly unsubscribeRatePct: number
  readonly minSample: number
}

interface SplitTest {
  readonly variants: readonly ({ readonly name: string; readonly templateSlug: string; readonly subject?: string; readonly preheader?: string })[]
  readonly testPercent: number
  readonly winner: 'human_opens' | 'human_clicks'
  readonly decideAfterHours: number
}

interface BroadcastDetail {
  readonly slug: string
  readonly name: string
  readonly templateSlug: string
  readonly names?: RowNames
  readonly subject?: string
  readonly preheader?: string
  readonly status: 'draft' | 'scheduled' | 'sending' | 'paused' | 'sent' | 'cancelled' | 'failed'
  readonly scheduledAt?: string
  readonly expiresAt?: string
  readonly startedAt?: string
  readonly finishedAt?: string
  readonly recipientCount?: number
  readonly audienceCount?: number
  readonly recipientCap?: number
  readonly queuedCount: number
  readonly pauseReason?: BroadcastPause
  readonly failure?: { readonly code: string; readonly message: string }
  readonly createdBy: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly revision: number
  readonly segmentDefinition: unknown
  readonly confirmedCount?: number
  readonly respectRecipientTimezone: boolean
  readonly wavePlan?: WavePlan
  readonly nextWaveAt?: string
  readonly order?: { readonly field: string; readonly direction: 'asc' | 'desc' }
  readonly stopRules: StopRules
  readonly splitTest?: SplitTest
  readonly splitPhase?: 'test' | 'deciding' | 'rest'
  readonly winner?: string
  readonly pauses?: readonly (BroadcastPause)[]
  readonly stats: { readonly total: number }
  readonly statusBreakdown: { readonly [name: string]: number }
  readonly retryable: number
  readonly leftOut: { readonly not_subscribed: number; readonly suppressed: number; readonly same_address: number; readonly no_address: number; readonly policy: number; readonly never_mailed: number }
  readonly capProgress: { readonly recipientCap: number | null; readonly sendsSoFar: number; readonly remaining: number | null }
  readonly waiting: readonly (BroadcastWait)[]
  readonly variants?: readonly (VariantReactions)[]
  readonly progress: BroadcastProgress
  readonly stopMeters: readonly (StopMeter)[]
  readonly decidesAt?: string
  readonly results: BroadcastResults
}

interface BroadcastWait {
  readonly reason: 'provider' | 'pause' | 'winner' | 'wave' | 'window'
  readonly count: number
  readonly since: string
  readonly until?: string
  readonly provider?: string
  readonly cause?: string
  readonly message?: string
}

interface VariantReactions {
  readonly name: string
  readonly templateSlug: string
  readonly handed: number
  readonly reactions: number
}

interface BroadcastProgress {
  readonly handed: number
  readonly total: number
  readonly waves: readonly ({ readonly size: number; readonly handed: number; readonly startedAt?: string; readonly startsAt?: string })[]
  readonly perMinute?: number
  readonly endsAt?: string
}

interface StopMeter {
  readonly rule: 'hard_bounce' | 'complaint' | 'unsubscribe'
  readonly count: number
  readonly sample: number
  readonly ratePct: number
  readonly limitPct: number
  readonly left: number
}

interface BroadcastResults {
  readonly total: { readonly queued: number; readonly handed: number; readonly delivered: number; readonly opened: number; readonly openedByPeople: number; readonly clicked: number; readonly clickedByPeople: number; readonly bounced: number; readonly hardBounced: number; readonly complained: number; readonly unsubscribed: number; readonly failed: number; readonly suppressed: number; readonly cancelled: number }
  readonly variants?: readonly ({ readonly name: string; readonly templateSlug: string; readonly names?: RowNames; readonly subject?: string; readonly isWinner: boolean; readonly queued: number; readonly handed: number; readonly delivered: number; readonly opened: number; readonly openedByPeople: number; readonly clicked: number; readonly clickedByPeople: number; readonly bounced: number; readonly hardBounced: number; readonly complained: number; readonly unsubscribed: number; readonly failed: number; readonly suppressed: number; readonly cancelled: number })[]
  readonly rest?: { readonly queued: number; readonly handed: number; readonly delivered: number; readonly opened: number; readonly openedByPeople: number; readonly clicked: number; readonly clickedByPeople: number; readonly bounced: number; readonly hardBounced: number; readonly complained: number; readonly unsubscribed: number; readonly failed: number; readonly suppressed: number; readonly cancelled: number }
  readonly significance?: { readonly verdict: 'better' | 'open' | 'too_few'; readonly best: string; readonly next: string; readonly pValue: number; readonly difference: number; readonly low: number; readonly high: number; readonly needed: number | null }
}

interface BroadcastReport {
  readonly links: readonly ({ readonly url: string; readonly people: number; readonly machines: number })[]
  readonly isPartial: boolean
  readonly hours: readonly ({ readonly at: string; readonly sent?: number; readonly delivered?: number; readonly bounced?: number; readonly opened?: number; readonly openedByPeople?: number; readonly clicked?: number })[]
}

interface BroadcastRecipient {
  readonly _id: string
  readonly externalId: string
  readonly emailAtSend: string | null
  readonly templateSlug: string
  readonly arm?: string
  readonly status: 'queued' | 'deferred' | 'held' | 'sending' | 'sent' | 'failed' | 'unknown' | 'suppressed' | 'cancelled' | 'holdout' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained'
  readonly queuedAt: string
  readonly sentAt?: string
  readonly deliveredAt?: string
  readonly openedAt?: string
  readonly firstClickAt?: string
  readonly humanOpenedAt?: string
  readonly humanClickedAt?: string
  readonly bouncedAt?: string
  readonly complainedAt?: string
  readonly unsubscribedAt?: string
  readonly exitReason?: string
  readonly errorMessage?: string
  readonly hold?: SendHold
  readonly waitingFor?: 'provider'
  readonly waiting?: ProviderWait
}

interface SendHold {
  readonly cause: string
  readonly message: string
  readonly since: string
}

interface ProviderWait {
  readonly provider: string
  readonly since: string
}

interface LeftOut {
  readonly externalId: string
  readonly reason: 'not_subscribed' | 'suppressed' | 'same_address' | 'no_address' | 'policy' | 'never_mailed'
  readonly detail?: string
  readonly at: string
}

interface RecipientCount {
  readonly recipientCount: number
  readonly uncappedRecipientCount: number
  readonly heldSends: number
  readonly alreadySent: number
  readonly eligible: number
  readonly segment?: SegmentCount
  readonly breach?: { readonly rule: 'hard_bounce' | 'complaint' | 'unsubscribe'; readonly count: number; readonly sample: number; readonly ratePct: number; readonly limitPct: number }
  readonly computedMs: number
}

interface BroadcastRetried {
  readonly slug: string
  readonly name: string
  readonly templateSlug: string
  readonly names?: RowNames
  readonly subject?: string
  readonly preheader?: string
  readonly status: 'draft' | 'scheduled' | 'sending' | 'paused' | 'sent' | 'cancelled' | 'failed'
  readonly scheduledAt?: string
  readonly expiresAt?: string
  readonly startedAt?: string
  readonly finishedAt?: string
  readonly recipientCount?: number
  readonly audienceCount?: number
  readonly recipientCap?: number
  readonly queuedCount: number
  readonly pauseReason?: BroadcastPause
  readonly failure?: { readonly code: string; readonly message: string }
  readonly createdBy: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly revision: number
  readonly segmentDefinition: unknown
  readonly confirmedCount?: number
  readonly respectRecipientTimezone: boolean
  readonly wavePlan?: WavePlan
  readonly nextWaveAt?: string
  readonly order?: { readonly field: string; readonly direction: 'asc' | 'desc' }
  readonly stopRules: StopRules
  readonly splitTest?: SplitTest
  readonly splitPhase?: 'test' | 'deciding' | 'rest'
  readonly winner?: string
  readonly pauses?: readonly (BroadcastPause)[]
  readonly retriedSends: number
}

interface BroadcastCancelled {
  readonly slug: string
  readonly name: string
  readonly templateSlug: string
  readonly names?: RowNames
  readonly subject?: string
  readonly preheader?: string
  readonly status: 'draft' | 'scheduled' | 'sending' | 'paused' | 'sent' | 'cancelled' | 'failed'
  readonly scheduledAt?: string
  readonly expiresAt?: string
  readonly startedAt?: string
  readonly finishedAt?: string
  readonly recipientCount?: number
  readonly audienceCount?: number
  readonly recipientCap?: number
  readonly queuedCount: number
  readonly pauseReason?: BroadcastPause
  readonly failure?: { readonly code: string; readonly message: string }
  readonly createdBy: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly revision: number
  readonly segmentDefinition: unknown
  readonly confirmedCount?: number
  readonly respectRecipientTimezone: boolean
  readonly wavePlan?: WavePlan
  readonly nextWaveAt?: string
  readonly order?: { readonly field: string; readonly direction: 'asc' | 'desc' }
  readonly stopRules: StopRules
  readonly splitTest?: SplitTest
  readonly splitPhase?: 'test' | 'deciding' | 'rest'
  readonly winner?: string
  readonly pauses?: readonly (BroadcastPause)[]
  readonly cancelledSends: number
}

interface Contacts {
  readonly contacts: readonly (ContactLine)[]
  readonly nextCursor?: string
}

interface ContactLine {
  readonly externalId: string
  readonly email: string
  readonly tags: readonly (string)[]
  readonly fields: { readonly [name: string]: unknown }
  readonly timezone?: string
  readonly locale?: string
  readonly state: 'subscribed' | 'pending' | 'unsubscribed' | 'paused' | 'bounced' | 'complained' | 'suppressed' | 'none'
  readonly subscribedAt?: string
}

interface ContactDetail {
  readonly contact: Contact
  readonly subscription: Subscription | null
  readonly recentEvents: readonly (ContactEvent)[]
  readonly recentSends: readonly (ContactSend)[]
  readonly names?: NamesBySlug
  readonly activeRuns: readonly (ContactRun)[]
  readonly endedRuns: readonly (ContactRun)[]
  readonly recentLeftOut: readonly (ContactLeftOut)[]
  readonly recentNotEntered: readonly (NotTaken)[]
  readonly figures: ContactFigures
  readonly reach: ContactReach
  readonly consent: readonly (ConsentStep)[]
  readonly planned: readonly (ContactSend)[]
  readonly journeyHref?: string
}

interface Contact {
  readonly externalId: string
  readonly email: string
  readonly tags: readonly (string)[]
  readonly fields: { readonly [name: string]: unknown }
  readonly timezone?: string
  readonly locale?: string
}

interface Subscription {
  readonly externalId: string
  readonly status: 'subscribed' | 'pending_doi' | 'unsubscribed' | 'bounced' | 'complained'
  readonly source: string
  readonly emailAtSubscribe?: string
  readonly consentTimestamp?: string
  readonly consentIp?: string
  readonly consentUserAgent?: string
  readonly subscribedAt?: string
  readonly unsubscribedAt?: string
  readonly unsubscribeReason?: string
  readonly doiRequestedAt?: string
  readonly doiConfirmedAt?: string
  readonly doiIp?: string
  readonly doiUserAgent?: string
  readonly firstSentAt?: string
  readonly lastEngagedAt?: string
  readonly createdAt: string
  readonly updatedAt: string
}

interface ContactEvent {
  readonly _id: string
  readonly name: string
  readonly properties: { readonly [name: string]: unknown }
  readonly occurredAt: string
  readonly notEntered?: readonly (NotEntered)[]
}

interface NotEntered {
  readonly flow: string
  readonly reason: 'not_subscribed' | 'pending_doi' | 'unsubscribed' | 'bounced' | 'complained' | 'suppressed' | 'no_address' | 'was_in_it'
}

interface ContactSend {
  readonly _id: string
  readonly status: 'queued' | 'deferred' | 'held' | 'sending' | 'sent' | 'failed' | 'unknown' | 'suppressed' | 'cancelled' | 'holdout' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained'
  readonly kind: 'marketing' | 'transactional'
  readonly category?: string
  readonly externalId: string
  readonly emailAtSend: string | null
  readonly templateSlug: string
  readonly templateVersion?: number
  readonly names?: RowNames
  readonly subject?: string
  readonly flowSlug?: string
  readonly broadcastSlug?: string
  readonly campaign?: SendCampaign
  readonly manualSendBy?: string
  readonly provider?: string
  readonly queuedAt: string
  readonly handedAt?: string
  readonly sentAt?: string
  readonly deliveredAt?: string
  readonly openedAt?: string
  readonly openCount?: number
  readonly firstClickAt?: string
  readonly clickCount?: number
  readonly humanOpenedAt?: string
  readonly humanClickedAt?: string
  readonly bouncedAt?: string
  readonly bounceType?: 'hard' | 'soft'
  readonly bounceReason?: string
  readonly bounceClass?: 'mailbox' | 'mailbox_full' | 'block' | 'policy' | 'content' | 'routing' | 'unknown' | 'auto_reply'
  readonly complainedAt?: string
  readonly droppedAt?: string
  readonly unsubscribedAt?: string
  readonly exitReason?: string
  readonly errorMessage?: string
  readonly hold?: SendHold
  readonly waitingFor?: 'provider'
  readonly waiting?: ProviderWait
  readonly opens?: readonly ({ readonly openedAt: string; readonly userAgent?: string; readonly ip?: string; readonly machine?: readonly (string)[] })[]
  readonly clickedLinks?: readonly ({ readonly url: string; readonly linkId: string; readonly clickedAt: string; readonly userAgent?: string; readonly ip?: string; readonly machine?: readonly (string)[] })[]
  readonly dueAt?: string
}

interface SendCampaign {
  readonly kind: string
  readonly slug: string
}

interface NamesBySlug {
  readonly templates: { readonly [name: string]: string }
  readonly flows: { readonly [name: string]: string }
  readonly broadcasts: { readonly [name: string]: string }
  readonly segments: { readonly [name: string]: string }
  readonly categories: { readonly [name: string]: string }
  readonly campaigns: { readonly [name: string]: string }
}

interface ContactRun {
  readonly _id: string
  readonly flowSlug: string
  readonly flowVersion: number
  readonly status: 'active' | 'completed' | 'exited' | 'failed'
  readonly path: string
  readonly enteredAt: string
  readonly waitingFor?: string
  readonly nextActionAt?: string
  readonly hold?: RunHold
  readonly exitedAt?: string
  readonly exitReason?: string
}

interface ContactLeftOut {
  readonly externalId: string
  readonly reason: 'not_subscribed' | 'suppressed' | 'same_address' | 'no_address' | 'policy' | 'never_mailed'
  readonly detail?: string
  readonly at: string
  readonly broadcast?: string
}

interface NotTaken {
  readonly flow: string
  readonly reason: 'not_subscribed' | 'pending_doi' | 'unsubscribed' | 'bounced' | 'complained' | 'suppressed' | 'no_address' | 'was_in_it'
  readonly at: string
}

interface ContactFigures {
  readonly mails: number
  readonly openedByPerson: number
  readonly clickedByPerson: number
  readonly lastActiveAt?: string
}

interface ContactReach {
  readonly marketing: MailReach
  readonly transactional: MailReach
  readonly categories: readonly ({ readonly id: string; readonly label: string; readonly isOn: boolean; readonly steps: readonly (ConsentStep)[] })[]
  readonly policy?: PolicyReach
}

interface MailReach {
  readonly isSent: boolean
  readonly reason?: string
  readonly until?: string
}

interface ConsentStep {
  readonly at: string
  readonly what: 'subscribed' | 'renewed' | 'asked' | 'confirmed' | 'unsubscribed' | 'bounced' | 'complained' | 'categoryOn' | 'categoryOff' | 'paused' | 'resumed'
  readonly source?: string
  readonly reason?: string
  readonly category?: string
  readonly until?: string
  readonly consentTimestamp?: string
  readonly ip?: string
  readonly userAgent?: string
}

interface PolicyReach {
  readonly perDays?: { readonly days: number; readonly count: number; readonly sent: number }
  readonly minGap?: { readonly hours: number; readonly lastAt?: string }
  readonly quietHours?: { readonly start: string; readonly end: string; readonly timezone: string }
  readonly waits?: { readonly cause: string; readonly until?: string }
}

interface SendLine {
  readonly _id: string
  readonly status: 'queued' | 'deferred' | 'held' | 'sending' | 'sent' | 'failed' | 'unknown' | 'suppressed' | 'cancelled' | 'holdout' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained'
  readonly kind: 'marketing' | 'transactional'
  readonly category?: string
  readonly externalId: string
  readonly emailAtSend: string | null
  readonly templateSlug: string
  readonly templateVersion?: number
  readonly names?: RowNames
  readonly subject?: string
  readonly flowSlug?: string
  readonly broadcastSlug?: string
  readonly campaign?: SendCampaign
  readonly manualSendBy?: string
  readonly provider?: string
  readonly queuedAt: string
  readonly handedAt?: string
  readonly sentAt?: string
  readonly deliveredAt?: string
  readonly openedAt?: string
  readonly openCount?: number
  readonly firstClickAt?: string
  readonly clickCount?: number
  readonly humanOpenedAt?: string
  readonly humanClickedAt?: string
  readonly bouncedAt?: string
  readonly bounceType?: 'hard' | 'soft'
  readonly bounceReason?: string
  readonly bounceClass?: 'mailbox' | 'mailbox_full' | 'block' | 'policy' | 'content' | 'routing' | 'unknown' | 'auto_reply'
  readonly complainedAt?: string
  readonly droppedAt?: string
  readonly unsubscribedAt?: string
  readonly exitReason?: string
  readonly errorMessage?: string
  readonly hold?: SendHold
  readonly waitingFor?: 'provider'
  readonly waiting?: ProviderWait
}

interface SendDetail {
  readonly send: Send
  readonly webhookEvents: readonly (ProviderEvent)[]
  readonly journeyHref?: string
}

interface Send {
  readonly _id: string
  readonly status: 'queued' | 'deferred' | 'held' | 'sending' | 'sent' | 'failed' | 'unknown' | 'suppressed' | 'cancelled' | 'holdout' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained'
  readonly kind: 'marketing' | 'transactional'
  readonly category?: string
  readonly externalId: string
  readonly emailAtSend: string | null
  readonly templateSlug: string
  readonly templateVersion?: number
  readonly names?: RowNames
  readonly subject?: string
  readonly flowSlug?: string
  readonly broadcastSlug?: string
  readonly campaign?: SendCampaign
  readonly manualSendBy?: string
  readonly provider?: string
  readonly queuedAt: string
  readonly handedAt?: string
  readonly sentAt?: string
  readonly deliveredAt?: string
  readonly openedAt?: string
  readonly openCount?: number
  readonly firstClickAt?: string
  readonly clickCount?: number
  readonly humanOpenedAt?: string
  readonly humanClickedAt?: string
  readonly bouncedAt?: string
  readonly bounceType?: 'hard' | 'soft'
  readonly bounceReason?: string
  readonly bounceClass?: 'mailbox' | 'mailbox_full' | 'block' | 'policy' | 'content' | 'routing' | 'unknown' | 'auto_reply'
  readonly complainedAt?: string
  readonly droppedAt?: string
  readonly unsubscribedAt?: string
  readonly exitReason?: string
  readonly errorMessage?: string
  readonly hold?: SendHold
  readonly waitingFor?: 'provider'
  readonly waiting?: ProviderWait
  readonly opens?: readonly ({ readonly openedAt: string; readonly userAgent?: string; readonly ip?: string; readonly machine?: readonly (string)[] })[]
  readonly clickedLinks?: readonly ({ readonly url: string; readonly linkId: string; readonly clickedAt: string; readonly userAgent?: string; readonly ip?: string; readonly machine?: readonly (string)[] })[]
  readonly dedupeKey: string
  readonly flowRunId?: string
  readonly providerOverride?: string
  readonly providerMessageId?: string
  readonly from?: { readonly name: string; readonly email: string }
  readonly links?: readonly ({ readonly linkId: string; readonly url: string })[]
  readonly event?: { readonly name: string }
  readonly operatorMail?: { readonly to: string; readonly subject: string; readonly text: string }
  readonly attachments?: readonly ({ readonly filename: string; readonly contentType: string })[]
  readonly attempt?: { readonly number: number; readonly at: string; readonly provider: string; readonly messageId: string }
  readonly honeypotVisits?: readonly ({ readonly at: string; readonly userAgent?: string })[]
}

interface ProviderEvent {
  readonly provider: string
  readonly providerEventId: string
  readonly type: string
  readonly occurredAt: string
  readonly receivedAt: string
  readonly processed: boolean
  readonly otherAddress?: string
  readonly details: unknown
}

interface RenderedSend {
  readonly subject: string
  readonly html: string | null
  readonly text: string
}

interface SendSelection {
  readonly kind?: 'marketing' | 'transactional'
  readonly template?: string
  readonly email?: string
  readonly broadcast?: string
  readonly flow?: string
  readonly domain?: string
  readonly sender?: string
  readonly provider?: string
  readonly reason?: string
  readonly from?: string
  readonly to?: string
}

interface Events {
  readonly registered: readonly ({ readonly name: string; readonly dedupePolicy: 'once-per-contact' | 'once-per-day' | 'every-time' })[]
  readonly seen: readonly (string)[]
  readonly stats: { readonly [name: string]: EventStats }
}

interface EventStats {
  readonly total: number
  readonly last7d: number
  readonly last30d: number
  readonly firstAt: string
  readonly lastAt: string
}

interface MailAuditEntry {
  readonly _id: string
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly resource: { readonly collection: string; readonly id?: string; readonly slug?: string }
  readonly before?: unknown
  readonly after?: unknown
  readonly diffSummary?: string
  readonly ip?: string
  readonly userAgent?: string
  readonly requestId?: string
  readonly names?: RowNames
  readonly erasedAt?: string
}

interface MailAuditDetail {
  readonly _id: string
  readonly at: string
  readonly actor: string
  readonly action: string
  readonly resource: { readonly collection: string; readonly id?: string; readonly slug?: string }
  readonly before?: unknown
  readonly after?: unknown
  readonly diffSummary?: string
  readonly ip?: string
  readonly userAgent?: string
  readonly requestId?: string
  readonly names?: RowNames
  readonly erasedAt?: string
  readonly changes: readonly ({ readonly field: string; readonly before?: unknown; readonly after?: unknown; readonly hunks?: readonly ({ readonly oldStart: number; readonly oldLines: number; readonly newStart: number; readonly newLines: number; readonly lines: readonly (string)[] })[]; readonly isTooLarge?: boolean })[]
}

interface Suppression {
  readonly _id: string
  readonly email: string | null
  readonly emailHash: string
  readonly scope: string
  readonly reason: 'unsubscribed' | 'list_cleaning' | 'manual' | 'hard_bounce' | 'complaint' | 'gdpr_forget'
  readonly source?: string
  readonly notes?: string
  readonly addedAt: string
  readonly expiresAt: string | null
  readonly names?: RowNames
}

interface SuppressionImportPreview {
  readonly export: string | null
  readonly columns: readonly ({ readonly name: string | null; readonly field: 'email' | 'scope' | 'reason' | 'source' | 'notes' | 'expiresAt' | 'addedAt' | 'emailHash' | null; readonly samples: readonly (string)[] })[]
  readonly rows: readonly ({ readonly line: number; readonly outcome: 'suppression' | 'left_out' | 'fault'; readonly email: string | null; readonly scope: string | null; readonly reason: string | null; readonly message: string | null; readonly said?: readonly ({ readonly code: string; readonly facts?: { readonly [name: string]: string | number } })[] })[]
}

interface SuppressionImport {
  readonly rows: number
  readonly taken: number
  readonly leftOut: number
  readonly broken: number
  readonly errors: readonly ({ readonly line: number; readonly message: string; readonly said?: readonly ({ readonly code: string; readonly facts?: { readonly [name: string]: string | number } })[] })[]
}

/** Input, answer and refusals of each operation, by its id. Times are texts in ISO 8601. */
export interface MailerOperationTypes {
  'mailer.templates.list': {
    readonly input: { readonly query?: { readonly limit?: number } }
    readonly answer: readonly (TemplateLine)[]
    readonly refusal: never
  }
  'mailer.templates.create': {
    readonly input: { readonly body: { readonly slug: string; readonly name: string; readonly kind: 'marketing' | 'transactional'; readonly description?: string; readonly category?: string; readonly tags?: readonly (string)[] } }
    readonly answer: Template
    readonly refusal: 'slug_taken'
  }
  'mailer.templates.read': {
    readonly input: { readonly params: { readonly slug: string } }
    readonly answer: Template
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.templates.delete': {
    readonly input: { readonly params: { readonly slug: string } }
    readonly answer: Done
    readonly refusal: 'bad_id' | 'not_found' | 'conflict' | 'draft_conflict' | 'template_in_use'
  }
  'mailer.templates.changeDraft': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly name?: string; readonly description?: string | null; readonly kind?: 'marketing' | 'transactional'; readonly category?: string | null; readonly tags?: readonly (string)[]; readonly variablesSchema?: { readonly [name: string]: { readonly type: 'string' | 'number' | 'boolean' | 'date' | 'array' | 'object'; readonly required?: boolean; readonly description?: string; readonly defaultValue?: unknown } }; readonly providerOverride?: string | null; readonly providerPatienceHours?: number | null; readonly subject?: string; readonly preheader?: string; readonly fromName?: string; readonly fromEmail?: string; readonly replyTo?: string | null; readonly bodyFormat?: 'multipart' | 'text_only'; readonly trackOpens?: boolean; readonly trackClicks?: boolean; readonly html?: string; readonly mjml?: string; readonly plainText?: string; readonly editorJson?: { readonly [name: string]: unknown } | null; readonly notes?: string } }
    readonly answer: Done
    readonly refusal: 'bad_id' | 'not_found' | 'conflict' | 'draft_conflict' | 'category_unknown' | 'provider_unknown' | 'reply_to_invalid' | 'sender_domain_invalid'
  }
  'mailer.templates.duplicate': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly slug: string; readonly name?: string } }
    readonly answer: Template
    readonly refusal: 'bad_id' | 'not_found' | 'slug_taken'
  }
  'mailer.templates.listVersions': {
    readonly input: { readonly params: { readonly slug: string }; readonly query?: { readonly before?: number } }
    readonly answer: readonly (TemplateVersionLine)[]
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.templates.readVersion': {
    readonly input: { readonly params: { readonly slug: string; readonly version: number } }
    readonly answer: TemplateVersion
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.templates.compare': {
    readonly input: { readonly params: { readonly slug: string }; readonly query?: { readonly from?: string; readonly to?: string } }
    readonly answer: Changes
    readonly refusal: 'bad_id' | 'not_found' | 'version_not_found'
  }
  'mailer.templates.listUses': {
    readonly input: { readonly params: { readonly slug: string } }
    readonly answer: readonly (TemplateUse)[]
    readonly refusal: 'bad_id'
  }
  'mailer.templates.preview': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly name?: string; readonly description?: string | null; readonly kind?: 'marketing' | 'transactional'; readonly category?: string | null; readonly tags?: readonly (string)[]; readonly variablesSchema?: { readonly [name: string]: { readonly type: 'string' | 'number' | 'boolean' | 'date' | 'array' | 'object'; readonly required?: boolean; readonly description?: string; readonly defaultValue?: unknown } }; readonly providerOverride?: string | null; readonly providerPatienceHours?: number | null; readonly subject?: string; readonly preheader?: string; readonly fromName?: string; readonly fromEmail?: string; readonly replyTo?: string | null; readonly bodyFormat?: 'multipart' | 'text_only'; readonly trackOpens?: boolean; readonly trackClicks?: boolean; readonly html?: string; readonly mjml?: string; readonly plainText?: string; readonly editorJson?: { readonly [name: string]: unknown } | null; readonly notes?: string; readonly useDraft?: boolean; readonly contactId?: string; readonly eventProperties?: { readonly [name: string]: unknown }; readonly sampleContact?: { readonly externalId?: string; readonly email?: string; readonly tags?: readonly (string)[]; readonly fields?: { readonly [name: string]: unknown } }; readonly vars?: { readonly [name: string]: unknown } } }
    readonly answer: TemplatePreview
    readonly refusal: 'bad_id' | 'not_found' | 'not_published' | 'compile_failed' | 'contact_not_found' | 'vars_resolve_failed'
  }
  'mailer.templates.check': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly name?: string; readonly description?: string | null; readonly kind?: 'marketing' | 'transactional'; readonly category?: string | null; readonly tags?: readonly (string)[]; readonly variablesSchema?: { readonly [name: string]: { readonly type: 'string' | 'number' | 'boolean' | 'date' | 'array' | 'object'; readonly required?: boolean; readonly description?: string; readonly defaultValue?: unknown } }; readonly providerOverride?: string | null; readonly providerPatienceHours?: number | null; readonly subject?: string; readonly preheader?: string; readonly fromName?: string; readonly fromEmail?: string; readonly replyTo?: string | null; readonly bodyFormat?: 'multipart' | 'text_only'; readonly trackOpens?: boolean; readonly trackClicks?: boolean; readonly html?: string; readonly mjml?: string; readonly plainText?: string; readonly editorJson?: { readonly [name: string]: unknown } | null; readonly notes?: string } }
    readonly answer: TemplateCheck
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.templates.sendTest': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly name?: string; readonly description?: string | null; readonly kind?: 'marketing' | 'transactional'; readonly category?: string | null; readonly tags?: readonly (string)[]; readonly variablesSchema?: { readonly [name: string]: { readonly type: 'string' | 'number' | 'boolean' | 'date' | 'array' | 'object'; readonly required?: boolean; readonly description?: string; readonly defaultValue?: unknown } }; readonly providerOverride?: string | null; readonly providerPatienceHours?: number | null; readonly subject?: string; readonly preheader?: string; readonly fromName?: string; readonly fromEmail?: string; readonly replyTo?: string | null; readonly bodyFormat?: 'multipart' | 'text_only'; readonly trackOpens?: boolean; readonly trackClicks?: boolean; readonly html?: string; readonly mjml?: string; readonly plainText?: string; readonly editorJson?: { readonly [name: string]: unknown } | null; readonly notes?: string; readonly useDraft?: boolean; readonly contactId?: string; readonly eventProperties?: { readonly [name: string]: unknown }; readonly to: string; readonly isMarked?: boolean; readonly sampleData?: { readonly contact?: { readonly externalId?: string; readonly email?: string; readonly tags?: readonly (string)[]; readonly fields?: { readonly [name: string]: unknown } }; readonly vars?: { readonly [name: string]: unknown } } } }
    readonly answer: { readonly ok: true; readonly providerId: string }
    readonly refusal: 'bad_id' | 'not_found' | 'provider_failed' | 'not_published' | 'compile_failed' | 'contact_not_found' | 'vars_resolve_failed'
  }
  'mailer.templates.publish': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly [name: string]: unknown } }
    readonly answer: TemplatePublished
    readonly refusal: 'bad_id' | 'not_found' | 'category_unknown' | 'provider_unknown' | 'reply_to_invalid' | 'sender_domain_invalid' | 'conflict' | 'draft_conflict' | 'compile_failed' | 'gate_refused' | 'version_not_found'
  }
  'mailer.templates.put': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly name: string; readonly description?: string | null; readonly kind: 'marketing' | 'transactional'; readonly category?: string | null; readonly tags?: readonly (string)[]; readonly variablesSchema?: { readonly [name: string]: { readonly type: 'string' | 'number' | 'boolean' | 'date' | 'array' | 'object'; readonly required?: boolean; readonly description?: string; readonly defaultValue?: unknown } }; readonly providerOverride?: string | null; readonly providerPatienceHours?: number | null; readonly subject: string; readonly preheader?: string; readonly fromName: string; readonly fromEmail: string; readonly replyTo?: string | null; readonly bodyFormat?: 'multipart' | 'text_only'; readonly trackOpens?: boolean; readonly trackClicks?: boolean; readonly body: { readonly html: string; readonly mjml?: string; readonly plainText?: string; readonly editorJson?: { readonly [name: string]: unknown } | null }; readonly publishedBy?: string } }
    readonly answer: TemplatePut
    readonly refusal: 'bad_id' | 'not_found' | 'category_unknown' | 'provider_unknown' | 'reply_to_invalid' | 'sender_domain_invalid' | 'conflict' | 'draft_conflict' | 'compile_failed' | 'gate_refused' | 'version_not_found'
  }
  'mailer.templates.rollback': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly version: number } }
    readonly answer: TemplatePublished
    readonly refusal: 'bad_id' | 'not_found' | 'category_unknown' | 'provider_unknown' | 'reply_to_invalid' | 'sender_domain_invalid' | 'conflict' | 'draft_conflict' | 'compile_failed' | 'gate_refused' | 'version_not_found'
  }
  'mailer.brands.list': {
    readonly input: {  }
    readonly answer: readonly (SenderBrand)[]
    readonly refusal: never
  }
  'mailer.brands.set': {
    readonly input: { readonly params: { readonly sender: string }; readonly body: Brand }
    readonly answer: SenderBrand
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.images.upload': {
    readonly input: { readonly query: { readonly name: string } }
    readonly answer: MailImage
    readonly refusal: 'not_an_image' | 'too_many_images'
  }
  'mailer.images.list': {
    readonly input: { readonly query?: { readonly limit?: number } }
    readonly answer: readonly (MailImage)[]
    readonly refusal: never
  }
  'mailer.images.delete': {
    readonly input: { readonly params: { readonly id: string } }
    readonly answer: Done
    readonly refusal: 'bad_id' | 'not_found' | 'image_in_use'
  }
  'mailer.flows.list': {
    readonly input: { readonly query?: { readonly limit?: number } }
    readonly answer: readonly (FlowLine)[]
    readonly refusal: never
  }
  'mailer.flows.create': {
    readonly input: { readonly body: { readonly slug: string; readonly name: string; readonly trigger: { readonly type?: 'event'; readonly eventName: string; readonly once?: boolean } | { readonly type: 'segment_enter'; readonly segmentDefinition: unknown; readonly once?: boolean } | { readonly type: 'cron'; readonly cronExpression: string; readonly segmentDefinition: unknown; readonly once?: boolean }; readonly description?: string; readonly goal?: string; readonly audience?: string; readonly expectedVolumePerWeek?: number } }
    readonly answer: Flow
    readonly refusal: 'slug_taken'
  }
  'mailer.flows.read': {
    readonly input: { readonly params: { readonly slug: string } }
    readonly answer: Flow
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.flows.delete': {
    readonly input: { readonly params: { readonly slug: string } }
    readonly answer: Done
    readonly refusal: 'bad_id' | 'not_found' | 'has_runs'
  }
  'mailer.flows.changeDraft': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly name?: string; readonly trigger?: { readonly type?: 'event'; readonly eventName: string; readonly once?: boolean } | { readonly type: 'segment_enter'; readonly segmentDefinition: unknown; readonly once?: boolean } | { readonly type: 'cron'; readonly cronExpression: string; readonly segmentDefinition: unknown; readonly once?: boolean }; readonly steps?: readonly ({ readonly type: string })[]; readonly notes?: string; readonly description?: string; readonly goal?: string; readonly audience?: string; readonly expectedVolumePerWeek?: number } }
    readonly answer: Flow
    readonly refusal: 'bad_id' | 'not_found' | 'conflict' | 'draft_conflict'
  }
  'mailer.flows.duplicate': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly slug: string; readonly name?: string } }
    readonly answer: Flow
    readonly refusal: 'bad_id' | 'not_found' | 'slug_taken'
  }
  'mailer.flows.pause': {
    readonly input: { readonly params: { readonly slug: string } }
    readonly answer: Flow
    readonly refusal: 'bad_id' | 'not_found' | 'conflict' | 'draft_conflict'
  }
  'mailer.flows.stop': {
    readonly input: { readonly params: { readonly slug: string } }
    readonly answer: FlowStopped
    readonly refusal: 'bad_id' | 'not_found' | 'conflict' | 'draft_conflict'
  }
  'mailer.flows.resume': {
    readonly input: { readonly params: { readonly slug: string } }
    readonly answer: Flow
    readonly refusal: 'bad_id' | 'not_found' | 'conflict' | 'draft_conflict' | 'no_live_steps'
  }
  'mailer.flows.publish': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly enable?: boolean } }
    readonly answer: FlowPublished
    readonly refusal: 'bad_id' | 'not_found' | 'conflict' | 'draft_conflict' | 'empty_flow' | 'invalid_steps'
  }
  'mailer.flows.rollback': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly version: number } }
    readonly answer: Flow
    readonly refusal: 'bad_id' | 'not_found' | 'conflict' | 'draft_conflict' | 'version_not_found' | 'invalid_steps'
  }
  'mailer.flows.listVersions': {
    readonly input: { readonly params: { readonly slug: string } }
    readonly answer: readonly (FlowVersionLine)[]
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.flows.readVersion': {
    readonly input: { readonly params: { readonly slug: string; readonly version: number } }
    readonly answer: FlowVersion
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.flows.compare': {
    readonly input: { readonly params: { readonly slug: string }; readonly query?: { readonly from?: string; readonly to?: string } }
    readonly answer: Changes
    readonly refusal: 'bad_id' | 'not_found' | 'version_not_found'
  }
  'mailer.flows.arm': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly since?: string } }
    readonly answer: FlowArmed
    readonly refusal: 'bad_id' | 'not_found' | 'no_live_steps' | 'conflict' | 'draft_conflict'
  }
  'mailer.flows.gate': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly tag: string } }
    readonly answer: FlowGated
    readonly refusal: 'bad_id' | 'not_found' | 'no_live_steps' | 'already_gated' | 'not_gated' | 'conflict'
  }
  'mailer.flows.ungate': {
    readonly input: { readonly params: { readonly slug: string } }
    readonly answer: FlowGated
    readonly refusal: 'bad_id' | 'not_found' | 'no_live_steps' | 'already_gated' | 'not_gated' | 'conflict'
  }
  'mailer.flows.count': {
    readonly input: { readonly params: { readonly slug: string }; readonly query?: { readonly version?: number } }
    readonly answer: FlowCounts
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.flows.not-entered': {
    readonly input: { readonly params: { readonly slug: string }; readonly query: { readonly reason: 'not_subscribed' | 'pending_doi' | 'unsubscribed' | 'bounced' | 'complained' | 'suppressed' | 'no_address' | 'was_in_it'; readonly limit?: number; readonly cursor?: string } }
    readonly answer: readonly (NotEnteredContact)[]
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.flows.simulate': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly contactId: string; readonly at?: string; readonly eventProperties?: { readonly [name: string]: unknown }; readonly version?: number | 'draft' | 'published'; readonly steps?: readonly (unknown)[] } }
    readonly answer: FlowSimulation
    readonly refusal: 'bad_id' | 'not_found' | 'contact_not_found' | 'invalid_steps' | 'version_not_found'
  }
  'mailer.flowRuns.list': {
    readonly input: { readonly params: { readonly slug: string }; readonly query?: { readonly status?: 'active' | 'completed' | 'exited' | 'failed'; readonly externalId?: string; readonly step?: string; readonly version?: number; readonly limit?: number; readonly cursor?: string } }
    readonly answer: readonly (FlowRun)[]
    readonly refusal: 'bad_id'
  }
  'mailer.flowRuns.stop': {
    readonly input: { readonly params: { readonly id: string }; readonly body: { readonly reason?: string } }
    readonly answer: FlowRunStopped
    readonly refusal: 'bad_id' | 'not_found' | 'run_not_active'
  }
  'mailer.flowRuns.skip': {
    readonly input: { readonly params: { readonly id: string } }
    readonly answer: Done
    readonly refusal: 'bad_id' | 'not_found' | 'run_not_active' | 'run_busy'
  }
  'mailer.segments.count': {
    readonly input: { readonly body: { readonly segmentDefinition: { readonly [name: string]: unknown } } }
    readonly answer: SegmentCount
    readonly refusal: 'invalid_segment'
  }
  'mailer.segments.preview': {
    readonly input: { readonly body: { readonly segmentDefinition: { readonly [name: string]: unknown } } }
    readonly answer: SegmentPreview
    readonly refusal: 'invalid_segment'
  }
  'mailer.segments.list': {
    readonly input: { readonly query?: { readonly limit?: number; readonly cursor?: string } }
    readonly answer: readonly (SegmentLine)[]
    readonly refusal: never
  }
  'mailer.segments.create': {
    readonly input: { readonly body: { readonly slug: string; readonly name: string; readonly segmentDefinition: { readonly [name: string]: unknown } } }
    readonly answer: Segment
    readonly refusal: 'slug_taken' | 'invalid_segment'
  }
  'mailer.segments.change': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly name?: string; readonly segmentDefinition?: { readonly [name: string]: unknown } } }
    readonly answer: Segment
    readonly refusal: 'bad_id' | 'not_found' | 'invalid_segment' | 'draft_conflict'
  }
  'mailer.segments.delete': {
    readonly input: { readonly params: { readonly slug: string } }
    readonly answer: Done
    readonly refusal: 'bad_id' | 'not_found' | 'segment_in_use'
  }
  'mailer.me.read': {
    readonly input: {  }
    readonly answer: MailCaller
    readonly refusal: never
  }
  'mailer.dashboard.read': {
    readonly input: { readonly query?: { readonly days?: number } }
    readonly answer: MailDashboard
    readonly refusal: never
  }
  'mailer.setup.read': {
    readonly input: {  }
    readonly answer: SetupStatus
    readonly refusal: never
  }
  'mailer.variables.read': {
    readonly input: {  }
    readonly answer: MailVariables
    readonly refusal: never
  }
  'mailer.settings.list': {
    readonly input: {  }
    readonly answer: readonly (MailSetting)[]
    readonly refusal: never
  }
  'mailer.categories.list': {
    readonly input: {  }
    readonly answer: readonly (MailCategory)[]
    readonly refusal: never
  }
  'mailer.providers.list': {
    readonly input: {  }
    readonly answer: readonly (ProviderStatus)[]
    readonly refusal: never
  }
  'mailer.pause.read': {
    readonly input: {  }
    readonly answer: MarketingPauseState
    readonly refusal: never
  }
  'mailer.pause.start': {
    readonly input: { readonly body: { readonly reason: string } }
    readonly answer: MarketingPauseState
    readonly refusal: 'already_paused'
  }
  'mailer.pause.end': {
    readonly input: {  }
    readonly answer: MarketingPauseState
    readonly refusal: 'not_paused'
  }
  'mailer.broadcasts.list': {
    readonly input: { readonly query?: { readonly limit?: number; readonly cursor?: string } }
    readonly answer: readonly (BroadcastLine)[]
    readonly refusal: never
  }
  'mailer.broadcasts.create': {
    readonly input: { readonly body: { readonly slug: string; readonly name: string; readonly templateSlug: string; readonly subject?: string | null; readonly preheader?: string | null; readonly segmentDefinition: { readonly [name: string]: unknown }; readonly respectRecipientTimezone?: boolean; readonly recipientCap?: number | null; readonly order?: { readonly field: string; readonly direction: 'asc' | 'desc' } | null; readonly wavePlan?: { readonly people: number; readonly everyMinutes: number } | { readonly percent: number; readonly everyMinutes: number } | null; readonly stopRules?: { readonly enabled?: boolean; readonly hardBounceRatePct?: number; readonly complaintRatePct?: number; readonly unsubscribeRatePct?: number; readonly minSample?: number }; readonly splitTest?: { readonly variants: readonly ({ readonly name: string; readonly templateSlug: string; readonly subject?: string; readonly preheader?: string })[]; readonly testPercent: number; readonly winner: 'human_opens' | 'human_clicks'; readonly decideAfterHours: number } | null } }
    readonly answer: Broadcast
    readonly refusal: 'slug_taken' | 'template_not_found' | 'template_not_marketing' | 'order_unsupported' | 'variants_not_distinct' | 'invalid_segment' | 'invalid_texts'
  }
  'mailer.broadcasts.duplicate': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly slug: string; readonly name?: string } }
    readonly answer: Broadcast
    readonly refusal: 'bad_id' | 'not_found' | 'slug_taken' | 'template_not_found' | 'template_not_marketing' | 'order_unsupported' | 'variants_not_distinct' | 'invalid_segment' | 'invalid_texts'
  }
  'mailer.broadcasts.resend': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly slug: string; readonly name?: string } }
    readonly answer: Broadcast
    readonly refusal: 'bad_id' | 'not_found' | 'not_started' | 'slug_taken' | 'template_not_found' | 'template_not_marketing' | 'order_unsupported' | 'variants_not_distinct' | 'invalid_segment' | 'invalid_texts'
  }
  'mailer.broadcasts.read': {
    readonly input: { readonly params: { readonly slug: string } }
    readonly answer: BroadcastDetail
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.broadcasts.changeDraft': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly name?: string; readonly templateSlug?: string; readonly subject?: string | null; readonly preheader?: string | null; readonly segmentDefinition?: { readonly [name: string]: unknown }; readonly respectRecipientTimezone?: boolean; readonly recipientCap?: number | null; readonly order?: { readonly field: string; readonly direction: 'asc' | 'desc' } | null; readonly wavePlan?: { readonly people: number; readonly everyMinutes: number } | { readonly percent: number; readonly everyMinutes: number } | null; readonly stopRules?: { readonly enabled?: boolean; readonly hardBounceRatePct?: number; readonly complaintRatePct?: number; readonly unsubscribeRatePct?: number; readonly minSample?: number }; readonly splitTest?: { readonly variants: readonly ({ readonly name: string; readonly templateSlug: string; readonly subject?: string; readonly preheader?: string })[]; readonly testPercent: number; readonly winner: 'human_opens' | 'human_clicks'; readonly decideAfterHours: number } | null } }
    readonly answer: Broadcast
    readonly refusal: 'bad_id' | 'not_found' | 'not_draft' | 'draft_conflict' | 'template_not_found' | 'template_not_marketing' | 'order_unsupported' | 'variants_not_distinct' | 'invalid_segment' | 'invalid_texts'
  }
  'mailer.broadcasts.delete': {
    readonly input: { readonly params: { readonly slug: string } }
    readonly answer: Done
    readonly refusal: 'bad_id' | 'not_found' | 'not_draft'
  }
  'mailer.broadcasts.readResults': {
    readonly input: { readonly params: { readonly slug: string } }
    readonly answer: BroadcastResults
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.broadcasts.readReport': {
    readonly input: { readonly params: { readonly slug: string } }
    readonly answer: BroadcastReport
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.broadcasts.listRecipients': {
    readonly input: { readonly params: { readonly slug: string }; readonly query?: { readonly status?: 'queued' | 'deferred' | 'held' | 'sending' | 'sent' | 'failed' | 'unknown' | 'suppressed' | 'cancelled' | 'holdout' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained'; readonly needsLook?: boolean; readonly limit?: number; readonly cursor?: string } }
    readonly answer: readonly (BroadcastRecipient)[]
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.broadcasts.listLeftOut': {
    readonly input: { readonly params: { readonly slug: string }; readonly query?: { readonly reason?: 'not_subscribed' | 'suppressed' | 'same_address' | 'no_address' | 'policy' | 'never_mailed'; readonly limit?: number; readonly cursor?: string } }
    readonly answer: readonly (LeftOut)[]
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.broadcasts.countRecipients': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly recipientCap?: number | null; readonly segmentDefinition?: { readonly [name: string]: unknown }; readonly stopRules?: { readonly enabled?: boolean; readonly hardBounceRatePct?: number; readonly complaintRatePct?: number; readonly unsubscribeRatePct?: number; readonly minSample?: number }; readonly leaveOut?: 'never_mailed' } }
    readonly answer: RecipientCount
    readonly refusal: 'bad_id' | 'not_found' | 'invalid_segment'
  }
  'mailer.broadcasts.sendTest': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly contactIds: readonly (string)[] } }
    readonly answer: { readonly broadcast: Broadcast; readonly sends: readonly ({ readonly sendId: string; readonly externalId: string; readonly templateSlug: string })[] }
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.broadcasts.schedule': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly scheduledAt?: string; readonly expiresAt?: string | null; readonly confirmedCount?: number } }
    readonly answer: Broadcast
    readonly refusal: 'bad_id' | 'not_found' | 'scheduledAt_required' | 'bad_scheduledAt' | 'bad_expiresAt' | 'confirmedCount_required' | 'count_mismatch' | 'not_draft' | 'template_not_published' | 'too_many_waves' | 'changed_meanwhile' | 'draft_conflict'
  }
  'mailer.broadcasts.pause': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly reason?: string } }
    readonly answer: Broadcast
    readonly refusal: 'bad_id' | 'not_found' | 'not_pausable' | 'draft_conflict'
  }
  'mailer.broadcasts.resume': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly confirmedCount?: number; readonly recipientCap?: number | null; readonly stopRules?: { readonly enabled?: boolean; readonly hardBounceRatePct?: number; readonly complaintRatePct?: number; readonly unsubscribeRatePct?: number; readonly minSample?: number }; readonly leaveOut?: 'never_mailed' } }
    readonly answer: Broadcast
    readonly refusal: 'bad_id' | 'not_found' | 'not_paused' | 'confirmedCount_required' | 'count_mismatch' | 'cap_not_raised' | 'stop_rule_still_breached' | 'changed_meanwhile' | 'draft_conflict'
  }
  'mailer.broadcasts.nextWave': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly [name: string]: unknown } }
    readonly answer: Broadcast
    readonly refusal: 'bad_id' | 'not_found' | 'no_wave_waits' | 'stop_rule_still_breached' | 'draft_conflict'
  }
  'mailer.broadcasts.retry': {
    readonly input: { readonly params: { readonly slug: string }; readonly body: { readonly confirmedCount: number } }
    readonly answer: BroadcastRetried
    readonly refusal: 'bad_id' | 'not_found' | 'not_retryable' | 'count_mismatch' | 'draft_conflict'
  }
  'mailer.broadcasts.cancel': {
    readonly input: { readonly params: { readonly slug: string } }
    readonly answer: BroadcastCancelled
    readonly refusal: 'bad_id' | 'not_found' | 'already_finished' | 'draft_conflict'
  }
  'mailer.contacts.list': {
    readonly input: { readonly query?: { readonly search?: string; readonly state?: 'subscribed' | 'pending' | 'unsubscribed' | 'paused' | 'bounced' | 'complained' | 'suppressed' | 'none'; readonly limit?: number; readonly cursor?: string } }
    readonly answer: Contacts
    readonly refusal: never
  }
  'mailer.contacts.count': {
    readonly input: { readonly query?: { readonly state?: 'subscribed' | 'pending' | 'unsubscribed' | 'paused' | 'bounced' | 'complained' | 'suppressed' | 'none' } }
    readonly answer: { readonly count: number; readonly isExact: boolean }
    readonly refusal: never
  }
  'mailer.contacts.read': {
    readonly input: { readonly params: { readonly externalId: string } }
    readonly answer: ContactDetail
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.contacts.export': {
    readonly input: { readonly params: { readonly externalId: string } }
    readonly answer: { readonly [name: string]: unknown }
    readonly refusal: 'bad_id'
  }
  'mailer.contacts.changeTags': {
    readonly input: { readonly params: { readonly externalId: string }; readonly body: { readonly add?: readonly (string)[]; readonly remove?: readonly (string)[] } }
    readonly answer: Done
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.contacts.unsubscribe': {
    readonly input: { readonly params: { readonly externalId: string }; readonly body: { readonly scope?: 'all' | 'marketing' | 'transactional'; readonly reason?: string; readonly notes?: string } }
    readonly answer: Done
    readonly refusal: 'bad_id' | 'not_found' | 'no_address'
  }
  'mailer.contacts.resubscribe': {
    readonly input: { readonly params: { readonly externalId: string }; readonly body: { readonly scope?: 'marketing' | 'all'; readonly source?: string } }
    readonly answer: { readonly ok: true; readonly removedSuppressions: number }
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.contacts.forget': {
    readonly input: { readonly params: { readonly externalId: string }; readonly body: { readonly confirm: string } }
    readonly answer: Done
    readonly refusal: 'bad_id' | 'not_confirmed'
  }
  'mailer.sends.list': {
    readonly input: { readonly query?: { readonly status?: 'queued' | 'deferred' | 'held' | 'sending' | 'sent' | 'failed' | 'unknown' | 'suppressed' | 'cancelled' | 'holdout' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained'; readonly kind?: 'marketing' | 'transactional'; readonly template?: string; readonly email?: string; readonly broadcast?: string; readonly flow?: string; readonly domain?: string; readonly sender?: string; readonly provider?: string; readonly reason?: string; readonly from?: string; readonly to?: string; readonly limit?: number; readonly cursor?: string } }
    readonly answer: readonly (SendLine)[]
    readonly refusal: never
  }
  'mailer.sends.read': {
    readonly input: { readonly params: { readonly id: string } }
    readonly answer: SendDetail
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.sends.readRendered': {
    readonly input: { readonly params: { readonly id: string } }
    readonly answer: RenderedSend
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.sends.resolve': {
    readonly input: { readonly params: { readonly id: string }; readonly body: { readonly verdict: 'sent' | 'not_sent' | 'resend' } }
    readonly answer: { readonly ok: true; readonly status: 'queued' | 'deferred' | 'held' | 'sending' | 'sent' | 'failed' | 'unknown' | 'suppressed' | 'cancelled' | 'holdout' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained' }
    readonly refusal: 'bad_id' | 'not_found' | 'not_unknown'
  }
  'mailer.sends.resend': {
    readonly input: { readonly params: { readonly id: string }; readonly body: { readonly key?: string } }
    readonly answer: { readonly ok: true; readonly sendId: string }
    readonly refusal: 'bad_id' | 'not_found' | 'not_resendable'
  }
  'mailer.sends.countOpen': {
    readonly input: { readonly query?: SendSelection }
    readonly answer: { readonly failed: number; readonly unknown: number }
    readonly refusal: never
  }
  'mailer.sends.retryMany': {
    readonly input: { readonly body: { readonly filter: SendSelection; readonly confirmedCount: number } }
    readonly answer: { readonly ok: true; readonly retried: number }
    readonly refusal: 'count_mismatch'
  }
  'mailer.sends.resolveMany': {
    readonly input: { readonly body: { readonly filter: SendSelection; readonly as: 'sent' | 'not_sent' | 'resend'; readonly confirmedCount: number } }
    readonly answer: { readonly ok: true; readonly resolved: number }
    readonly refusal: 'count_mismatch'
  }
  'mailer.events.list': {
    readonly input: {  }
    readonly answer: Events
    readonly refusal: never
  }
  'mailer.audit.list': {
    readonly input: { readonly query?: { readonly actor?: string; readonly action?: string; readonly resource?: string; readonly from?: string; readonly to?: string; readonly limit?: number; readonly cursor?: string } }
    readonly answer: readonly (MailAuditEntry)[]
    readonly refusal: never
  }
  'mailer.audit.read': {
    readonly input: { readonly params: { readonly id: string } }
    readonly answer: MailAuditDetail
    readonly refusal: 'bad_id' | 'not_found'
  }
  'mailer.suppressions.list': {
    readonly input: { readonly query?: { readonly email?: string; readonly scope?: string; readonly reason?: 'unsubscribed' | 'list_cleaning' | 'manual' | 'hard_bounce' | 'complaint' | 'gdpr_forget'; readonly limit?: number; readonly cursor?: string } }
    readonly answer: readonly (Suppression)[]
    readonly refusal: never
  }
  'mailer.suppressions.create': {
    readonly input: { readonly body: { readonly email: string; readonly scope: 'all' | 'marketing' | 'transactional'; readonly reason: 'unsubscribed' | 'list_cleaning' | 'manual' | 'hard_bounce' | 'complaint' | 'gdpr_forget'; readonly source?: string; readonly notes?: string; readonly expiresAt?: string | null } }
    readonly answer: Done
    readonly refusal: never
  }
  'mailer.suppressions.previewImport': {
    readonly input: { readonly query?: { readonly scope?: 'all' | 'marketing' | 'transactional'; readonly reason?: 'unsubscribed' | 'list_cleaning' | 'manual' | 'hard_bounce' | 'complaint' | 'gdpr_forget'; readonly source?: string; readonly columns?: string } }
    readonly answer: SuppressionImportPreview
    readonly refusal: 'no_email_column'
  }
  'mailer.suppressions.import': {
    readonly input: { readonly query?: { readonly scope?: 'all' | 'marketing' | 'transactional'; readonly reason?: 'unsubscribed' | 'list_cleaning' | 'manual' | 'hard_bounce' | 'complaint' | 'gdpr_forget'; readonly source?: string; readonly columns?: string } }
    readonly answer: SuppressionImport
    readonly refusal: 'no_email_column' | 'too_large'
  }
  'mailer.suppressions.delete': {
    readonly input: { readonly params: { readonly id: string }; readonly body: { readonly reason?: string } }
    readonly answer: Done
    readonly refusal: 'bad_id' | 'not_found' | 'reason_required' | 'not_removable'
  }
}
