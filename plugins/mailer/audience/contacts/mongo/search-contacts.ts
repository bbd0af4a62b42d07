// Finds contacts by the beginning of their fields: one range of an index after the other, each contact once.
import type { Document } from 'mongodb'
import { errors } from '../../../errors.ts'
import type { ContactPage, ContactSort } from '../../../ledger/adapter.ts'

/** A part of the answer, in the order of one index. */
export interface SearchStage {
  readonly field: string
  readonly filter: Document
}

/** No text that begins with the one before it is greater. */
const GREATEST = '\u{10ffff}'

/** The ranges in which a text is looked for. Those of a field leave out what the fields before it have. Pure. */
export function searchStages(text: string, fields: readonly string[]): readonly SearchStage[] {
  const lower = text.toLowerCase()
  const capital = lower.charAt(0).toUpperCase() + lower.slice(1)
  const forms = [...new Set([text, lower, capital])]
  const rangesOf = (field: string) =>
    forms.map((form) => ({ [field]: { $gte: form, $lt: form + GREATEST } }))
  return fields.flatMap((field, at) => {
    const before = fields.slice(0, at).flatMap(rangesOf)
    return rangesOf(field).map((range) => ({
      field,
      filter: before.length === 0 ? range : { $and: [range, { $nor: before }] }
    }))
  })
}

/** Reads a page of what a filter selects. */
type ReadPage = (
  filter: Document,
  query: { readonly limit: number; readonly cursor?: string; readonly sort: ContactSort }
) => Promise<ContactPage>

/**
 * A page of contacts over all stages, in their order.
 *
 * @throws MLR_INPUT_INVALID for a cursor of another list
 */
export async function searchPage(
  stages: readonly SearchStage[],
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  read: ReadPage
): Promise<ContactPage> {
  const from = placeOf(cursor)
  const contacts = []
  for (const [at, { field, filter }] of stages.entries()) {
    if (at < from.stage) continue
    const missing = limit - contacts.length
    // When the page is full, one more shows that there is another.
    const page = await read(filter, {
      limit: Math.max(missing, 1),
      sort: { field, direction: 'asc' },
      ...(at === from.stage && from.cursor !== '' && { cursor: from.cursor })
    })
    if (missing === 0 && page.contacts.length > 0) return { contacts, nextCursor: `${at}.` }
    contacts.push(...page.contacts)
    if (page.nextCursor !== undefined) return { contacts, nextCursor: `${at}.${page.nextCursor}` }
  }
  return { contacts }
}

function placeOf(cursor: string | undefined): { readonly stage: number; readonly cursor: string } {
  if (cursor === undefined) return { stage: 0, cursor: '' }
  const [, stage, rest = ''] = /^(\d{1,4})\.(.{0,4096})$/.exec(cursor) ?? []
  if (stage !== undefined) return { stage: Number(stage), cursor: rest }
  const problem = 'must be the nextCursor of an earlier page'
  throw errors.MLR_INPUT_INVALID({ operation: 'search', path: 'cursor', problem })
}
