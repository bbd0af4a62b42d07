// What issues are searched for: their type, message and fingerprint, as `q` searches records. Pure.
import type { Document } from 'mongodb'
import { encodeKey } from '../field-keys.ts'
import type { Issue } from '../schemas/reads.ts'
import { charText } from '../search/pattern-text.ts'
import { readSearch, type SearchTerm } from '../search/read-search.ts'
import { QueryError } from './types.ts'

export const FINGERPRINT_LABEL = 'error.fingerprint='

const CAPTURED = ['field:error.type', 'field:error.message'].map(
  (key) => `firstCapture.${encodeKey(key)}`
)
const LABEL_PATTERN = `^${[...FINGERPRINT_LABEL].map(charText).join('')}.*`

/** @throws QueryError for a search that cannot be read. */
function termsOf(contains: string): readonly SearchTerm[] {
  const search = readSearch(contains)
  if (!search.ok) throw new QueryError(search.problem.replace(/^q /, 'contains '))
  return search.terms
}

/** The rollups of issues that hold what is searched for. */
export function issueTerms(contains = ''): Document {
  const terms = termsOf(contains).map(({ pattern, isNot }) => {
    const places = [
      ...CAPTURED.map((field) => ({ [field]: { $regex: pattern } })),
      { dims: { $regex: `${LABEL_PATTERN}(?:${pattern})` } }
    ]
    return isNot ? { $nor: places } : { $or: places }
  })
  return terms.length === 0 ? {} : { $and: terms }
}

/** Whether an issue that was counted from rows holds what is searched for. */
export function holdsText(contains = ''): (issue: Issue) => boolean {
  const terms = termsOf(contains).map(({ pattern, isNot }) => ({
    expression: new RegExp(pattern),
    isNot
  }))
  return ({ type, message, fingerprint }) =>
    terms.every(
      ({ expression, isNot }) =>
        [type, message, fingerprint].some((text) => expression.test(text)) !== isNot
    )
}
