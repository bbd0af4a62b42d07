// Refused writes: what is kept of one, how they are stored and shown.

import { clipText, isPlainObject } from '../bounds.ts'
import { newRecordId } from '../envelope/record-id.ts'
import { isRef, readSubjects } from '../envelope/refs.ts'
import type { QuarantineRow } from '../schemas/system.ts'
import type { StoredReject, TelemetryStorage } from '../storage/storage.ts'

/** A write that is refused. */
export interface Refusal {
  readonly name: string
  readonly reason: string
  readonly raw: unknown
  readonly tenantId: string | undefined
  readonly keyId: string | undefined
}

const MAX_RAW = 8192
const MAX_CLIPPED = 4096
const MAX_NAME = 200
const MAX_REASON = 500

/** The document of a refusal. */
export function storeRefusal(refusal: Refusal, at: Date): StoredReject {
  const named = refsIn(refusal.raw)
  return {
    _id: newRecordId(at.getTime()),
    at,
    name: clipText(refusal.name, MAX_NAME),
    reason: clipText(refusal.reason, MAX_REASON),
    raw: rawText(refusal.raw),
    ...(refusal.tenantId !== undefined && { tenantId: refusal.tenantId }),
    ...(refusal.keyId !== undefined && { keyId: refusal.keyId }),
    ...(named.length > 0 && { subjectKeys: named })
  }
}

/** Whoever is named in any role: erasure finds it by them. */
function refsIn(raw: unknown): readonly string[] {
  if (!isPlainObject(raw)) return []
  const { subjects, actor, onBehalfOf, usage, anonRef, userRef } = raw
  const billedTo = isPlainObject(usage) ? usage['billedTo'] : undefined
  const others = [actor, onBehalfOf, billedTo, anonRef, userRef].filter(isRef)
  return [...new Set([...(readSubjects(subjects)?.refs ?? []), ...others])]
}

/** What was sent as JSON text; of something large, its beginning. */
function rawText(raw: unknown): string {
  const json = jsonOf(raw)
  if (json.length <= MAX_RAW && json.startsWith('{')) return json
  return JSON.stringify({ clipped: clipText(json, MAX_CLIPPED) })
}

function jsonOf(raw: unknown): string {
  try {
    return JSON.stringify(raw) ?? 'undefined'
  } catch {
    return '"not serializable"'
  }
}

/** The newest refusals of a tenant; of all under `*`. */
export async function readQuarantine(
  storage: TelemetryStorage,
  scope: string,
  limit: number
): Promise<QuarantineRow[]> {
  const found = await storage.collections.rejects
    .find(scope === '*' ? {} : { tenantId: scope })
    .sort({ at: -1 })
    .limit(limit)
    .toArray()
  return found.map((reject) => ({
    at: reject.at,
    name: reject.name,
    reason: reject.reason,
    raw: JSON.parse(reject.raw) as Record<string, unknown>,
    tenantId: reject.tenantId ?? null
  }))
}
