// createIngest: the wire's way in, as a Fastify plugin to be registered with a prefix.
import { acceptCrossOrigin, corsConfig, createBoundedMap } from '@keelson/sdk'
import type { FastifyContextConfig, FastifyPluginAsync } from 'fastify'
import { errors } from './errors.ts'
import type { ContextAdapter } from './ingest/context.ts'
import type { Refused } from './ingest/credentials.ts'
import { createGate, type Gate } from './ingest/gate.ts'
import type { IngestContext } from './ingest/ingest-context.ts'
import { preflightPolicy } from './ingest/origins.ts'
import { batchRules, postBatch } from './ingest/post.ts'
import { internalsOf } from './internals.ts'
import { createKeyRing } from './keys/key-ring.ts'
import { aMinuteLater, createOverRate } from './keys/over-rate.ts'
import { recordRefusals } from './keys/record-refusals.ts'
import { otlpRules, postOtlp } from './otlp/post.ts'
import { SUBJECT_ATTRIBUTES, type SubjectAttributes } from './otlp/source.ts'
import { isSubjectType } from './registry/names.ts'
import { batchSchemas, otlpSchemas } from './schemas/ingest.ts'
import type { Telemetry } from './telemetry.ts'

export interface IngestOptions {
  readonly telemetry: Telemetry
  /** Answers for session keys: who is calling. Without it such keys write nothing. */
  readonly contextAdapter?: ContextAdapter
  /** Records a batch may hold. Default 100. */
  readonly maxRecords?: number
  /** Bytes of a batch, before and after decompression. Default 512 kB. */
  readonly bodyLimit?: number
  /** Bytes of an OTLP request, before and after decompression. Default 4 MB. */
  readonly otlpBodyLimit?: number
  /**
   * Attributes of OTLP records that name a subject, with the type of the subject, besides `user.id` and `enduser.id`
   * (`user`) and `session.id` (`session`): `{ 'customer.id': 'customer' }`.
   */
  readonly subjectAttributes?: Readonly<Record<string, string>>
  /** Milliseconds a key is believed after it was looked up, so that long a revoked one may still write elsewhere. Default 60,000. */
  readonly keyCacheMs?: number
  /** Milliseconds a sender waits for the write before it hears 503. Default 10,000. */
  readonly deadlineMs?: number
  /** Called with each request that was refused at the gate. */
  readonly onDrop?: (reason: Refused) => void
}

const KILOBYTE = 1024
/** Keys that are remembered for one reason or another. */
const KEYS = 5000

/**
 * Makes the ingest router: `POST /` for batches, `OPTIONS /` for browsers, and OTLP at `/v1/traces`,
 * `/v1/logs` and `/v1/metrics`.
 *
 * @example await app.register(createIngest({ telemetry }), { prefix: '/ingest' })
 * @throws TEL_OPTION_INVALID
 */
export function createIngest(options: IngestOptions): FastifyPluginAsync {
  const context = contextOf(options)
  const onDrop = options.onDrop ?? (() => undefined)
  return async (app) => {
    // Bodies are read and checked by the handlers, after the gate has looked at the key.
    app.addHook('onClose', async () => context.overRate.close())
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    app.setValidatorCompiler(() => () => true)
    acceptCrossOrigin(app)
    const config = corsConfig(preflightPolicy(context.contextAdapter !== undefined))
    // Before the route for batches: an address has one answer to preflights, the first.
    app.options('/', { config, schema: { hide: true } as object }, (_request, reply) =>
      reply.code(204).send()
    )
    const { admitted, ...batchGate } = createGate(context.ring, { ...batchRules, onDrop })
    app.post('/', { ...guardedBy(batchGate), schema: batchSchemas }, (request, reply) =>
      postBatch(context, admitted(request), request, reply)
    )
    const otlpGate = createGate(context.ring, { ...otlpRules, onDrop })
    for (const signal of ['traces', 'logs', 'metrics'] as const) {
      app.post(`/v1/${signal}`, { ...guardedBy(otlpGate), schema: otlpSchemas }, (request, reply) =>
        postOtlp(context, signal, otlpGate.admitted(request), request, reply)
      )
    }
  }
}

/** The kernel calls `verify` of the config; the hook is for every other app. */
const guardedBy = ({ verify, onRequest }: Pick<Gate, 'verify' | 'onRequest'>) => ({
  config: { verify } as FastifyContextConfig,
  onRequest
})

function contextOf(options: IngestOptions): IngestContext {
  const { recorder, storage, onKeyRevoked, limit } = internalsOf(options.telemetry)
  const now = () => recorder.clock.now()
  const ring = createKeyRing({
    keys: storage.collections.keys,
    cacheMs: bounded('keyCacheMs', options.keyCacheMs ?? 60_000, 0, 3_600_000),
    now
  })
  onKeyRevoked.add((id) => ring.forget(id))
  return {
    recorder,
    ring,
    // Without the database nothing can be written either: the sender hears 503.
    rate: limit('key', { max: 0, windowSeconds: 60, whenAway: 'throw' }),
    overRate: createOverRate({
      keys: storage.collections.keys,
      logger: recorder.logger,
      now,
      record: (refusals) => recordRefusals(recorder, refusals),
      later: aMinuteLater
    }),
    refusedWhole: createBoundedMap(KEYS),
    contextAdapter: options.contextAdapter,
    maxRecords: bounded('maxRecords', options.maxRecords ?? 100, 1, 1000),
    bodyLimit: bounded('bodyLimit', options.bodyLimit ?? 512 * KILOBYTE, KILOBYTE, 16_777_216),
    otlpBodyLimit: bounded(
      'otlpBodyLimit',
      options.otlpBodyLimit ?? 4096 * KILOBYTE,
      KILOBYTE,
      67_108_864
    ),
    subjectAttributes: subjectAttributesOf(options.subjectAttributes ?? {}),
    deadlineMs: bounded('deadlineMs', options.deadlineMs ?? 10_000, 100, 120_000)
  }
}

function subjectAttributesOf(own: SubjectAttributes): SubjectAttributes {
  for (const [key, type] of Object.entries(own)) {
    if (isSubjectType(type)) continue
    const problem = `the type of the subject must be a lower-case name, and is ${JSON.stringify(type)}`
    throw errors.TEL_OPTION_INVALID({ path: `subjectAttributes.${key}`, problem })
  }
  return { ...own, ...SUBJECT_ATTRIBUTES }
}

function bounded(path: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw errors.TEL_OPTION_INVALID({ path, problem: `it must be from ${least} to ${most}` })
}
