// A search as terms of a filter of rows, for documents; segments read the same terms as SQL. Pure.
import type { Document } from 'mongodb'
import type { SearchTerm } from './read-search.ts'

/** The texts of a row that are searched, besides the values of its attributes. */
const SEARCHED = ['name', 'error.type', 'error.message', 'body'] as const

export const searchFilter = ({ pattern, isNot }: SearchTerm): Document => {
  const places: readonly Document[] = [
    ...SEARCHED.map((field) => ({ [field]: { $regex: pattern } })),
    { $expr: attrMatches(pattern) }
  ]
  return isNot ? { $nor: places } : { $or: places }
}

const attrMatches = (pattern: string): Document => ({
  $anyElementTrue: [
    {
      $map: {
        input: { $objectToArray: { $ifNull: ['$attrs', {}] } },
        in: { $regexMatch: { input: '$$this.v', regex: pattern } }
      }
    }
  ]
})

/** The pattern of such an expression; undefined for any other. */
export function attrPatternOf(expression: Document): string | undefined {
  const pattern: unknown = expression['$anyElementTrue']?.[0]?.$map?.in?.$regexMatch?.regex
  const isOne =
    typeof pattern === 'string' &&
    JSON.stringify(attrMatches(pattern)) === JSON.stringify(expression)
  return isOne ? pattern : undefined
}
