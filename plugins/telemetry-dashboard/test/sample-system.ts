// A System page's worth of made-up keys and refused records, with keys that can be made and revoked.
import type { CreateKeyOptions, Erasure, KeyRow, QuarantineRow } from '@keelson/telemetry'

const MINUTE = 60_000

const key = (more: Partial<KeyRow>): KeyRow => ({
  id: 'tk_0a1b2c3d4e5f60718293a4b5',
  kind: 'secret',
  tenantMode: 'fixed',
  tenantId: 'acme',
  service: 'web',
  env: 'prod',
  label: 'live',
  origins: [],
  allowedKinds: ['event'],
  allowedNames: null,
  maxPerMinute: 600,
  createdAt: new Date(Date.now() - 90 * MINUTE),
  lastUsedAt: new Date(Date.now() - MINUTE),
  revokedAt: null,
  ...more
})

const reject = (minutes: number, name: string, reason: string): QuarantineRow => ({
  at: new Date(Date.now() - minutes * MINUTE),
  name,
  reason,
  raw: { _id: `rejected-${minutes}`, name, attrs: { path: '/pricing' } },
  tenantId: 'acme'
})

/** Answers of the system operations, for `fakeStore` and `sampleStore`. */
export function systemAnswers() {
  const erasures: Erasure[] = []
  const keys = [
    key({}),
    key({
      id: 'tk_1111111111111111aaaaaaaa',
      kind: 'publishable',
      service: 'shop',
      lastUsedAt: null
    }),
    key({ id: 'tk_2222222222222222bbbbbbbb', service: 'old', revokedAt: new Date() })
  ]
  return {
    keys,
    indexCount: 17,
    storageUse: {
      collections: [
        {
          name: 'rows',
          documents: 12_000,
          bytes: 9_000_000,
          storedBytes: 4_194_304,
          indexBytes: 1_048_576,
          indexes: 12
        }
      ],
      kinds: [
        { kind: 'event', records: 4200, lastAt: new Date(), retentionDays: null },
        { kind: 'span', records: 900, lastAt: null, retentionDays: 30 }
      ]
    },
    quarantine: [
      reject(3, 'page.seen', 'unregistered event'),
      reject(9, 'order.placed', 'metrics.amount_usd must be a number'),
      reject(9, 'order.placed', 'missing client _id')
    ],
    backfills: [{ family: 'views_by_path', position: '2025-06-01T00:00:00.000Z', at: new Date() }],
    erasures: () => erasures,
    forget(scope: string, { order }: { order: { by: string } }) {
      const done = { deleted: 3, redacted: 1, rollups: 4 }
      const at = new Date()
      const pseudonym = 'erased:0123456789abcdef'
      erasures.push({
        id: `e${erasures.length}`,
        at,
        tenantId: scope,
        pseudonym,
        by: order.by,
        did: { ...done, left: 0 }
      })
      const others = { captures: 0, aliases: 0, views: 0, rejects: 0, alerts: 0 }
      return { tenantId: scope, pseudonym, ...done, ...others, remaining: { telemetry: 0 }, at }
    },
    listKeys: () => keys,
    createKey(_scope: string, options: CreateKeyOptions) {
      const id = 'tk_9999999999999999cccccccc'
      keys.push(key({ ...options, id, createdAt: new Date(), lastUsedAt: null, maxPerMinute: 600 }))
      return { id, key: `sk_live_${id}_0123456789abcdef` }
    },
    revokeKey(_scope: string, id: string) {
      const index = keys.findIndex((one) => one.id === id && one.revokedAt === null)
      if (index < 0) return { revoked: 0 }
      keys[index] = key({ ...keys[index], revokedAt: new Date() })
      return { revoked: 1 }
    }
  }
}
