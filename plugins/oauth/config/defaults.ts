// Values of settings that are left out.
import { AUDIT_RETENTION_DAYS, DEFAULT_PREFIX } from '../storage/collections.ts'

export const DEFAULTS = {
  mountPath: '/oauth',
  returnParam: 'next',
  locale: 'en',
  collectionPrefix: DEFAULT_PREFIX,
  auditRetentionDays: AUDIT_RETENTION_DAYS,
  algorithms: ['ES256', 'RS256'],
  rateLimit: { max: 60, windowMs: 60_000 },
  registration: { perHour: 20, unusedDays: 7 },
  ttl: {
    code: 60,
    accessToken: 3600,
    refreshToken: 60 * 86_400,
    refreshAbsolute: 180 * 86_400,
    refreshGrace: 30,
    authorizationRequest: 600,
    pushedRequest: 90
  },
  metadata: { fetchTimeoutMs: 5000, maxBytes: 5120, cacheTtlMs: 3_600_000 }
} as const
