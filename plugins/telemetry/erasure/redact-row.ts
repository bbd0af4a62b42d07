// What erasure does to one row: pure, from the stored row to the update that is due.
import type { StoredRow } from '../envelope/stored-row.ts'
import { idOf } from './pseudonym.ts'

/** Erased refs to what stands in their place. */
export type Pseudonyms = ReadonlyMap<string, string>

export type RowErasure =
  | { readonly act: 'delete' }
  | { readonly act: 'redact'; readonly row: StoredRow }

/**
 * Rows about erased subjects alone go. Rows that others are part of too, and usage (somebody pays by
 * it), stay with the subject replaced and everything free-form removed.
 */
export function eraseRow(row: StoredRow, pseudonyms: Pseudonyms, at: Date): RowErasure {
  const isOthers = (ref: string) => !pseudonyms.has(ref)
  const hasOthers =
    (row.subjectKeys ?? []).some(isOthers) || (row.otherPrincipals ?? []).some(isOthers)
  const isSubject = (row.subjectKeys ?? []).some((ref) => pseudonyms.has(ref))
  if (isSubject && !hasOthers && row.kind !== 'usage') return { act: 'delete' }
  return { act: 'redact', row: redact(row, pseudonyms, at) }
}

function redact(row: StoredRow, pseudonyms: Pseudonyms, at: Date): StoredRow {
  const swap = (ref: string) => pseudonyms.get(ref) ?? ref
  const cleanse = cleanserOf(pseudonyms)
  const { body, data, client, ...kept } = row
  return {
    ...kept,
    redactedAt: at,
    ...(row.subjectKeys !== undefined && { subjectKeys: row.subjectKeys.map(swap) }),
    ...(row.otherPrincipals !== undefined && { otherPrincipals: row.otherPrincipals.map(swap) }),
    ...(row.actor !== undefined && { actor: swap(row.actor) }),
    ...(row.onBehalfOf !== undefined && { onBehalfOf: swap(row.onBehalfOf) }),
    ...(row.attrs !== undefined && { attrs: mapValues(row.attrs, cleanse) }),
    ...(row.error !== undefined && {
      error: {
        type: row.error.type,
        message: cleanse(row.error.message),
        ...(row.error.handled !== undefined && { handled: row.error.handled }),
        ...(row.error.fingerprint !== undefined && { fingerprint: row.error.fingerprint })
      }
    }),
    ...(row.usage !== undefined && {
      usage:
        row.usage.billedTo === undefined
          ? row.usage
          : { ...row.usage, billedTo: swap(row.usage.billedTo) }
    })
  }
}

/** Ids shorter than this are ordinary words and numbers: only the whole text or the ref is a mention. */
const TELLING_LENGTH = 4

/** Replaces a text that mentions an erased id or ref, whole. */
function cleanserOf(pseudonyms: Pseudonyms): (text: string) => string {
  const mentions = [...pseudonyms].map(([ref, pseudonym]) => ({
    pattern: mentionOf(ref),
    pseudonym
  }))
  return (text) => mentions.find(({ pattern }) => pattern.test(text))?.pseudonym ?? text
}

const escapeRegExp = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')

function mentionOf(ref: string): RegExp {
  const id = idOf(ref)
  const words = [escapeRegExp(ref), `^${escapeRegExp(id)}$`]
  if (id.length >= TELLING_LENGTH) words.push(escapeRegExp(id))
  return new RegExp(words.map((word) => `(?<![A-Za-z0-9])${word}(?![A-Za-z0-9])`).join('|'), 'i')
}

function mapValues(
  record: Readonly<Record<string, string>>,
  change: (text: string) => string
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}
