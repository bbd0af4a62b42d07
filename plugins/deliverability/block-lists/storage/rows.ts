// What block lists stores: the latest answer of each pair, the changes, and the state of each list.
import type { Collection } from 'mongodb'
import type { DecodedCode } from '../lists/decode-answer.ts'
import type { ListingCategory } from '../lists/list-profile.ts'
import type { ListState } from '../lists/self-test.ts'

/** What a list last said about a target. */
export interface CheckRow {
  /** `<list> <target>` */
  readonly _id: string
  readonly target: string
  readonly targetKind: 'domain' | 'ip'
  /** The zone of the list. */
  readonly list: string
  readonly listLabel: string
  readonly result: 'clean' | 'listed' | 'error'
  /** null unless it is listed. */
  readonly category: ListingCategory | null
  readonly codes: readonly DecodedCode[]
  readonly errorMessage: string | null
  /** The last answer about the target itself: an error changes nothing about it. */
  readonly known: 'clean' | 'listed' | null
  /** When the list answered; null while it never did. */
  readonly runAt: Date | null
  readonly attemptedAt: Date
  /** Look-ups in a row that failed. */
  readonly failures: number
}

/** A target that was listed, or is no longer listed. */
export interface ChangeRow {
  /** `<list> <target> <result> <since>` */
  readonly _id: string
  /** The run that found it: its changes are in one mail. */
  readonly runId: string
  readonly target: string
  readonly list: string
  readonly listLabel: string
  readonly result: 'clean' | 'listed'
  readonly category: ListingCategory | null
  readonly codes: readonly DecodedCode[]
  readonly at: Date
  /** Set until the mail about it is queued; left out when there is no address to write to. */
  readonly isPending?: true
}

/** The state of a list. */
export interface ListRow {
  /** The zone. */
  readonly _id: string
  readonly state: ListState
  readonly reason: string | null
  readonly hasIpv6: boolean
  readonly testedAt: Date
  /** Tests in a row that found it unreachable. */
  readonly failures: number
}

/** The collections of block lists. */
export interface Stored {
  readonly checks: Collection<CheckRow>
  readonly changes: Collection<ChangeRow>
  readonly lists: Collection<ListRow>
}

export const checkId = (list: string, target: string): string => `${list} ${target}`
