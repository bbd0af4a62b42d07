// Who is writing: finds the key of a request and says whether it may write. No body is read before.
import type { FastifyRequest } from 'fastify'
import { looksSecret, parseKeyString } from '../keys/key-format.ts'
import type { KeyRing } from '../keys/key-ring.ts'
import type { StoredKey } from '../storage/stored-key.ts'

/** Why a request may not write. */
export type Refused =
  /** Dropped without a word: publishable keys are public, and strangers learn nothing. */
  'drop' | 'invalid_key' | 'revoked_key'

export type Verdict =
  | { readonly ok: true; readonly key: StoredKey; readonly origin: string | undefined }
  | { readonly ok: false; readonly refused: Refused }

const MAX_KEY = 200

const refuse = (refused: Refused): Verdict => ({ ok: false, refused })

/** The key of a request, looked up and checked. Throws when the database cannot be asked. */
export async function judgeRequest(request: FastifyRequest, ring: KeyRing): Promise<Verdict> {
  const { text, isInQuery } = keyText(request)
  const isSecret = looksSecret(text)
  const silence: Refused = isSecret ? 'invalid_key' : 'drop'
  const parsed = text.length > MAX_KEY ? undefined : parseKeyString(text)
  // A secret in an address ends up in logs: it is refused even when it is right.
  if (parsed === undefined || (isInQuery && isSecret)) return refuse(silence)
  const key = await ring.find(parsed.id)
  if (key === null || key.kind !== parsed.kind) return refuse(silence)
  if (parsed.secret !== undefined && !(await ring.isSecretOf(key, parsed.secret))) {
    return refuse('invalid_key')
  }
  if (key.revokedAt !== undefined) return refuse(isSecret ? 'revoked_key' : 'drop')
  const origin = headerOf(request, 'origin')
  const isForeign =
    key.kind === 'publishable' &&
    origin !== undefined &&
    !key.origins.includes(origin.toLowerCase())
  return isForeign ? refuse('drop') : { ok: true, key, origin }
}

function keyText(request: FastifyRequest): { readonly text: string; readonly isInQuery: boolean } {
  const bearer = /^Bearer +(\S+)$/i.exec(headerOf(request, 'authorization') ?? '')?.[1]
  if (bearer !== undefined) return { text: bearer, isInQuery: false }
  const { key } = (request.query ?? {}) as { key?: unknown }
  return { text: typeof key === 'string' ? key : '', isInQuery: true }
}

export function headerOf(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' ? value : undefined
}
