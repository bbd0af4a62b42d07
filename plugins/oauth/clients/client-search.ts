// Finding clients: the words that each is found by, and places in the list. Pure.
import type { Filter } from 'mongodb'
import { errors } from '../errors.ts'
import type { OAuthClient } from '../storage/rows.ts'
import { redirectTarget } from './redirect-uris.ts'

const MAX_WORDS = 64
const MAX_LENGTH = 128

const plain = (text: string): string => text.normalize('NFKC').toLowerCase()

/** Words of the name, the id, and the hosts of callbacks with each of their parents. */
export function searchWordsOf({
  clientId,
  name,
  redirectUris
}: Pick<OAuthClient, 'clientId' | 'name' | 'redirectUris'>): readonly string[] {
  const words = [
    plain(clientId),
    ...plain(name).split(/\s+/),
    ...plain(name).split(/[^\p{L}\p{N}]+/u),
    ...redirectUris.flatMap((uri) => suffixesOf(redirectTarget(uri).host))
  ]
  const short = words.filter((word) => word !== '').map((word) => word.slice(0, MAX_LENGTH))
  return [...new Set(short)].slice(0, MAX_WORDS)
}

const suffixesOf = (host: string): readonly string[] =>
  host.split('.').map((_label, at, labels) => labels.slice(at).join('.'))

/** Clients with a word that starts with each word of the text; all clients for an empty text. */
export function searchFilter(text: string): Filter<OAuthClient> {
  const words = plain(text).trim().split(/\s+/).slice(0, 8)
  if (words[0] === '') return {}
  const starts = words.map((word) => ({
    searchWords: new RegExp(`^${escaped(word)}`)
  }))
  return { $and: starts }
}

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

type Place = Pick<OAuthClient, '_id' | 'createdAt'>

/** Where the next page of the list starts. */
export const cursorAt = ({ _id, createdAt }: Place): string =>
  Buffer.from(`${createdAt.getTime()}.${_id}`).toString('base64url')

/**
 * Clients that come after a place in the list, newest first.
 *
 * @throws OAU_REQUEST_INVALID for a cursor that no page of the list has given
 */
export function afterCursor(cursor: string): Filter<OAuthClient> {
  const text = Buffer.from(cursor, 'base64url').toString()
  const [, time, id] = /^([0-9]{1,15})\.([0-9a-f]{1,64})$/.exec(text) ?? []
  if (time === undefined || id === undefined) {
    const problem = 'must be nextCursor of an earlier page'
    throw errors.OAU_REQUEST_INVALID({ path: 'cursor', problem })
  }
  const createdAt = new Date(Number(time))
  // The first condition bounds the index; the second decides among rows of one millisecond.
  const among = [{ createdAt: { $lt: createdAt } }, { createdAt, _id: { $lt: id } }]
  return { createdAt: { $lte: createdAt }, $or: among }
}
