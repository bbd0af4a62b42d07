// The ids of people as text. Pure.

import { errors } from '../errors.ts'
import type { OAuthUser } from './host-code.ts'

/** The user's id as text, so that a string and an ObjectId of the same value are one person. */
export function userIdOf(user: Pick<OAuthUser, 'id'> | { id: unknown }): string {
  return textOfId(user.id)
}

/**
 * Text, a number, or an object with `toHexString`. Other objects would give many people the same text.
 *
 * @throws OAU_USER_ID_INVALID
 */
export function textOfId(id: unknown): string {
  const { toHexString } = (id ?? {}) as { toHexString?: unknown }
  const text = typeof toHexString === 'function' ? toHexString.call(id) : id
  if (typeof text === 'string' && text !== '') return text
  if (typeof text === 'bigint' || Number.isSafeInteger(text)) return String(text)
  const problem = id === null ? 'null' : text === '' ? 'empty' : `of type ${typeof id}`
  throw errors.OAU_USER_ID_INVALID({ problem })
}
