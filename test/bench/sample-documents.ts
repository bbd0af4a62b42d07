// The documents that the engine's measurements write: about 400 bytes each, six indexed fields.
import { BSON, type Document, ObjectId } from 'mongodb'

export const INDEXES: readonly Record<string, 1 | -1>[] = [
  { tenantId: 1, at: -1 },
  { tenantId: 1, kind: 1, name: 1, at: -1 },
  { traceId: 1 },
  { userId: 1, at: -1 },
  { 'attrs.plan': 1, at: -1 },
  { score: 1 }
]

const words = ['signup', 'order', 'login', 'export', 'invite', 'upgrade']

export function sampleDocument(number: number): Document {
  const document: Document = {
    _id: new ObjectId(),
    tenantId: `tenant-${number % 20}`,
    kind: 'event',
    name: `${words[number % words.length]}.done`,
    at: new Date(1_790_000_000_000 + number * 977),
    traceId: (number * 2_654_435_761).toString(16).padStart(32, '0'),
    userId: `user-${(number * 7919) % 5000}`,
    attrs: { plan: number % 3 === 0 ? 'pro' : 'free', source: 'bench' },
    score: (number * 31) % 10_007
  }
  const size = BSON.calculateObjectSize(document)
  document['text'] = 'x'.repeat(Math.max(0, 400 - size - 11))
  return document
}
