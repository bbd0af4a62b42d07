// What an event says of a bounce: the server's words, whole where they cannot be read, and what they mean. Pure.
import type { BounceClass, ProviderEvent } from '../../contracts/mailer-provider.ts'
import { bounceTypeOf, isBounceClass, judgeBounce } from './judge-bounce.ts'

const MOST_WORDS = 2_000

/** The words of a server, as a vendor repeats them. */
export interface ServerWords {
  readonly words: string | undefined
  /** False where there is something that is not text: it is kept, and the vendor's verdict on it does not count. */
  readonly isReadable: boolean
}

/** The first value that is there. Some vendors give a list of texts. */
export function serverWords(...values: readonly unknown[]): ServerWords {
  const given = values.find((value) => value !== undefined && value !== null && value !== '')
  if (given === undefined) return { words: undefined, isReadable: true }
  if (typeof given === 'string') return { words: given.slice(0, MOST_WORDS), isReadable: true }
  if (Array.isArray(given) && given.length > 0 && given.every((one) => typeof one === 'string'))
    return { words: given.join('\n').slice(0, MOST_WORDS), isReadable: true }
  return { words: JSON.stringify(given)?.slice(0, MOST_WORDS), isReadable: false }
}

/** Class and type of a bounce, for the details of its event. */
export function judgedDetails(
  { words, isReadable }: ServerWords,
  facts: {
    readonly code?: number | undefined
    readonly enhancedCode?: string | undefined
    readonly vendor: BounceClass | undefined
  }
): { readonly bounceType: 'hard' | 'soft'; readonly class: BounceClass } {
  const judged = isReadable ? judgeBounce({ ...facts, words }) : 'unknown'
  return { bounceType: bounceTypeOf(judged), class: judged }
}

/** The class of a bounce whose provider may not have judged it. */
export function classOfBounce(details: ProviderEvent['details']): BounceClass {
  const { class: judged, bounceType, reason: words, code, enhancedCode } = details
  if (isBounceClass(judged)) return judged
  const vendor = bounceType === 'hard' ? 'mailbox' : 'unknown'
  return judgeBounce({ words, code, enhancedCode, vendor })
}
