// Which settings belong together, in the order of the page. Pure.

/** The settings of each section, by their names in the config. */
export const SECTIONS = {
  from: [
    'fromDefaults',
    'transactionalFromDefaults',
    'senderDomains',
    'senderAddress',
    'linkDomains',
    'publicUrl'
  ],
  pace: [
    'defaultProvider',
    'defaultTransactionalProvider',
    'providerFallbacks',
    'sendRatePerSecond',
    'sendConcurrency',
    'sendRetryAttempts',
    'providerPatienceHours',
    'warmUp',
    'alertEmail',
    'tickIntervalSeconds',
    'webhookRetryAttempts',
    'handOverJournalDir'
  ],
  consent: [
    'requireDoubleOptIn',
    'doiTemplateSlug',
    'doiTokenLifetimeDays',
    'unsubscribeTokenLifetimeDays',
    'unsubscribeWriteTimeoutMs',
    'pendingUnsubsPath',
    'preferences'
  ],
  often: ['contactPolicy', 'categories'],
  broadcasts: ['broadcastConfirmationThreshold', 'broadcastStopRules'],
  bounces: [
    'softBouncePromotionThreshold',
    'softBouncePromotionWindowDays',
    'softBouncePromotionMinDays',
    'softBounceSuppressionDays'
  ],
  tracking: [
    'trackOpens',
    'trackClicks',
    'machineAgents',
    'storeTrackingIp',
    'storeRenderedBody',
    'requireSignedTrackingUrls',
    'unsignedTrackingBefore',
    'trackingUrlLifetimeDays'
  ]
} as const satisfies Readonly<Record<string, readonly string[]>>
