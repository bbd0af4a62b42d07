// What the parts of the watch panel show.
import type { ListLoad } from '@keelson/ui'
import type {
  BroadcastDetail,
  BroadcastReport,
  LeftOutContact,
  Recipient
} from '../../broadcasts/answers.ts'
import type { Words } from '../words.ts'

/** What is shown. */
export interface WatchView {
  readonly words: Words
  readonly broadcast: BroadcastDetail
  /** Links and hours; undefined while they are read. */
  readonly report: BroadcastReport | undefined
  readonly recipients: ListLoad<readonly unknown[], Recipient>
  /** What recipients are narrowed to: a status, `look`, or empty for all. */
  readonly status: string
  /** Contacts that were left out, shown in the place of recipients where the address names a reason. */
  readonly leftOut: ListLoad<readonly unknown[], LeftOutContact>
  readonly isLeftOut: boolean
  /** The reason that they are narrowed to; `all` for each. */
  readonly leftOutReason: string
}

type Status = keyof BroadcastDetail['statusBreakdown']

/** How many mails are in any of these statuses. */
export const countIn = (
  { statusBreakdown }: Pick<BroadcastDetail, 'statusBreakdown'>,
  statuses: readonly Status[]
): number => statuses.reduce((sum, status) => sum + (statusBreakdown[status] ?? 0), 0)

/** Statuses that a person should look at. */
export const NEEDS_LOOK: readonly Status[] = ['unknown', 'failed', 'bounced', 'complained']

/** How many were left out. */
export const leftOutSum = ({ leftOut }: Pick<BroadcastDetail, 'leftOut'>): number =>
  Object.values(leftOut).reduce((sum, count) => sum + count, 0)
