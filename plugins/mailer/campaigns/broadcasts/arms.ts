// The arms of a broadcast: what each sends, and which mails belong to it. Pure.
import type { BroadcastRow, SplitTest } from '../../ledger/broadcast-row.ts'
import { defined } from '../../ledger/defined.ts'
import type { MailTexts } from '../../ledger/mail-texts.ts'
import { hasReached } from '../../ledger/send-status.ts'
import type { MailGroup } from './count-mails.ts'

/** What the mails of one arm are made from. */
export interface Arm {
  /** Left out without a split test. */
  readonly name?: string
  readonly templateSlug: string
  /** In the place of those of the template. */
  readonly texts: MailTexts
  /** The winner of a split test, for those who waited for it. */
  readonly isRest?: true
}

type Composed = Pick<BroadcastRow, 'templateSlug' | 'splitTest' | 'subject' | 'preheader'>

/** The variants of the split test, or the one mail of a broadcast without one. */
export function armsOf({ templateSlug, splitTest, ...own }: Composed): readonly Arm[] {
  const textsOf = ({ subject = own.subject, preheader = own.preheader }: MailTexts) =>
    defined({ subject, preheader })
  if (splitTest === undefined) return [{ templateSlug, texts: textsOf({}) }]
  return splitTest.variants.map((variant) => {
    const { name, templateSlug: slug } = variant
    return { name, templateSlug: slug, texts: textsOf(variant) }
  })
}

/** Groups of the mails that one variant was tested with. Mails of versions before arms were stored have its template alone. */
export const groupsOfArm = (
  groups: readonly MailGroup[],
  { name, templateSlug }: SplitTest['variants'][number]
): readonly MailGroup[] =>
  groups.filter(
    (group) =>
      (group.arm || name) === name && group.templateSlug === templateSlug && !isOfRest(group)
  )

/** Whether the mails went to those who waited for the winner. */
export const isOfRest = ({ progress }: MailGroup): boolean => hasReached(progress, 'rest')
