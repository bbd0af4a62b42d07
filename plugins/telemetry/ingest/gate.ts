// The gate of ingest: looks at the key of a request before its body, under the kernel and on any other app.
import { isRefusal, type Refusal, type RefusalAnswer, refuse, sendRefusal } from '@keelson/sdk'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyRing } from '../keys/key-ring.ts'
import type { StoredKey } from '../storage/stored-key.ts'
import { judgeRequest, type Refused } from './credentials.ts'

/** A request whose key may write. */
export interface Admitted {
  readonly key: StoredKey
  readonly origin: string | undefined
}

export interface GateRules {
  /** Only secret keys may write here. */
  readonly needsSecret: boolean
  /** The answer to a request whose key may not write. */
  refusal(refused: Refused, request: FastifyRequest): RefusalAnswer
  /** The answer when the keys could not be read. */
  failure(error: unknown, request: FastifyRequest): RefusalAnswer
  /** Called with each refusal, for metrics. */
  onDrop(refused: Refused): void
}

export interface Gate {
  /** For the kernel, as `verify` of a machine route. */
  readonly verify: (request: FastifyRequest) => Promise<Admitted | Refusal>
  /** For every app: asks for the key unless the kernel has done so. */
  readonly onRequest: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  /** What was found out about a request that the gate let in. */
  readonly admitted: (request: FastifyRequest) => Admitted
}

export function createGate(ring: KeyRing, rules: GateRules): Gate {
  const known = new WeakMap<FastifyRequest, Admitted>()

  async function verify(request: FastifyRequest): Promise<Admitted | Refusal> {
    try {
      const verdict = await judgeRequest(request, ring)
      const isRight = verdict.ok && !(rules.needsSecret && verdict.key.kind !== 'secret')
      if (isRight) {
        known.set(request, verdict)
        return verdict
      }
      const refused = verdict.ok ? 'invalid_key' : verdict.refused
      rules.onDrop(refused)
      return refuse(rules.refusal(refused, request))
    } catch (error) {
      request.log.error({ err: error }, 'an ingest key could not be read')
      return refuse(rules.failure(error, request))
    }
  }

  return {
    verify,
    async onRequest(request, reply) {
      if (known.has(request)) return
      const found = await verify(request)
      return isRefusal(found) ? sendRefusal(reply, found) : undefined
    },
    // The hook above runs before every handler.
    admitted: (request) => known.get(request) as Admitted
  }
}
