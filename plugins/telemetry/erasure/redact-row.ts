// What erasure does to one row: pure, from the stored row to the update that is due.
import type { StoredRow, StoredUsage } from '../envelope/stored-row.ts'
import { mentionOf } from './mentions.ts'
import type { Pseudonyms } from './pseudonym.ts'

export type RowErasure =
  | { readonly act: 'delete' }
  | { readonly act: 'redact'; readonly row: StoredRow }

/**
 * Rows about erased subjects alone go. Rows that others are part of too, and usage (it is billed
 * by it), stay with the subject replaced and everything free-form removed.
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
    ...(row.state !== undefined && {
      state: {
        ...row.state,
        key: cleanse(row.state.key),
        to: cleanse(row.state.to),
        ...(row.state.from !== undefined && { from: cleanse(row.state.from) })
      }
    }),
    ...(row.usage !== undefined && { usage: redactUsage(row.usage, pseudonyms) }),
    ...(row.dedupeKey !== undefined && { dedupeKey: keyWithout(row.dedupeKey, pseudonyms) })
  }
}

function redactUsage(usage: StoredUsage, pseudonyms: Pseudonyms): StoredUsage {
  const { billedTo, idempotencyKey, reverses } = usage
  return {
    ...usage,
    ...(billedTo !== undefined && { billedTo: pseudonyms.get(billedTo) ?? billedTo }),
    ...(idempotencyKey !== undefined && { idempotencyKey: keyWithout(idempotencyKey, pseudonyms) }),
    ...(reverses !== undefined && { reverses: keyWithout(reverses, pseudonyms) })
  }
}

/** A key of a record without the mentions: two keys stay two. */
function keyWithout(key: string, pseudonyms: Pseudonyms): string {
  let text = key
  for (const [ref, pseudonym] of pseudonyms) {
    const { source, flags } = mentionOf(ref)
    text = text.replace(new RegExp(source, `${flags}g`), pseudonym)
  }
  return text
}

/** Replaces a text that mentions an erased id or ref, whole. */
function cleanserOf(pseudonyms: Pseudonyms): (text: string) => string {
  const mentions = [...pseudonyms].map(([ref, pseudonym]) => ({
    pattern: mentionOf(ref),
    pseudonym
  }))
  return (text) => mentions.find(({ pattern }) => pattern.test(text))?.pseudonym ?? text
}

function mapValues(
  record: Readonly<Record<string, string>>,
  change: (text: string) => string
): Record<string, string> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}
