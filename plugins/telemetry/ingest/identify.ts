// `$identify` of the wire: an anonymous ref is a known one. It stores no row.
import { escapePart, isWireId } from '../envelope/record-id.ts'
import { isRef, refType } from '../envelope/refs.ts'
import type { StoredAlias } from '../storage/storage.ts'
import type { StoredKey } from '../storage/stored-key.ts'

export const IDENTIFY = '$identify'

/** What a link is read with. */
export interface IdentifyContext {
  readonly tenantId: string
  readonly key: StoredKey
  /** When it happened. */
  readonly at: Date
  readonly anonymousTypes: ReadonlySet<string>
}

/**
 * The link, or why it is refused. Everybody can read a publishable key: it links only an anonymous ref with
 * a known one, because a linked ref is erased with the person.
 */
export function readIdentify(
  parts: Readonly<Record<string, unknown>>,
  { tenantId, key, at, anonymousTypes }: IdentifyContext
): StoredAlias | string {
  if (key.allowedNames !== undefined && !key.allowedNames.includes(IDENTIFY)) {
    return 'name not allowed for this key'
  }
  const { anonRef, userRef, _id } = parts
  if (!isRef(anonRef) || !isRef(userRef) || anonRef === userRef) return 'malformed $identify'
  const isAnonymous = (ref: string) => anonymousTypes.has(refType(ref))
  if (key.kind === 'publishable' && (!isAnonymous(anonRef) || isAnonymous(userRef))) {
    return '$identify over a publishable key must link an anonymous anonRef with a known userRef'
  }
  // A record that is sent again must be the same link.
  const id = isWireId(_id) ? _id : `${userRef}|${at.getTime()}`
  return {
    _id: `${escapePart(tenantId)}|${escapePart(anonRef)}|${id}`,
    tenantId,
    anonRef,
    userRef,
    linkedAt: at
  }
}
