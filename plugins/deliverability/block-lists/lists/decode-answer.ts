// What the addresses that a list answered with say. Pure.
import { type CodeMeaning, type ListingCategory, profileOf } from './list-profile.ts'

/** A return code and what it means. */
export interface DecodedCode {
  readonly code: string
  readonly meaning: string
}

/** What a list said about a target. */
export type DecodedAnswer =
  | { readonly result: 'clean' }
  | {
      readonly result: 'listed'
      /** The gravest of its codes. */
      readonly category: ListingCategory
      readonly codes: readonly DecodedCode[]
    }
  | {
      /** The list, or a resolver on the way, answered about the query. */
      readonly result: 'error'
      readonly codes: readonly DecodedCode[]
      readonly message: string
    }

const REFUSALS: Readonly<Record<string, string>> = {
  '127.255.255.252': 'The name of the list is misspelt',
  '127.255.255.254': 'The list refuses queries through public resolvers',
  '127.255.255.255': 'Too many queries: the quota of the list is used up'
}

/** By how much a listing hurts, the gravest first. */
const GRAVITY: readonly ListingCategory[] = ['reputation', 'abused', 'policy']

/** No address is a clean target. */
export function decodeAnswer(host: string, addresses: readonly string[]): DecodedAnswer {
  if (addresses.length === 0) return { result: 'clean' }
  const decoded = [...new Set(addresses)].map((code) => ({ code, ...meaningOf(host, code) }))
  const codes = decoded.map(({ code, meaning }) => ({ code, meaning }))
  const listings = decoded.filter(({ category }) => category !== 'refused')
  const category = GRAVITY.find((one) => listings.some((listing) => listing.category === one))
  if (category === undefined) {
    const message = codes.map(({ code, meaning }) => `${meaning} (${code}).`).join(' ')
    return { result: 'error', codes, message }
  }
  return { result: 'listed', category, codes }
}

function meaningOf(host: string, code: string): CodeMeaning {
  const { codes = {}, bits = [] } = profileOf(host)
  const known = Object.hasOwn(codes, code) ? codes[code] : undefined
  if (known !== undefined) return known
  const refusal = refusalOf(code)
  if (refusal !== undefined) return { meaning: refusal, category: 'refused' }
  const sum = Number(code.split('.')[3])
  const set = bits.filter(([bit]) => (sum & bit) !== 0).map(([, meaning]) => meaning)
  const category = GRAVITY.find((one) => set.some((meaning) => meaning.category === one))
  if (category === undefined) return { meaning: 'Listed', category: 'reputation' }
  return { meaning: set.map(({ meaning }) => meaning).join('; '), category }
}

function refusalOf(code: string): string | undefined {
  if (Object.hasOwn(REFUSALS, code)) return REFUSALS[code]
  if (code.startsWith('127.255.255.')) return 'The list refuses the query'
  if (code === '127.0.0.1') return 'The list refuses queries of this resolver'
  if (!code.startsWith('127.')) return 'The answer is not that of a block list'
  return undefined
}
