// What the parts of the Broadcast page are written with.
import type { Format } from '@keelson/ui'
import type { Linked } from '../addresses.ts'
import type { BroadcastDetail } from '../broadcasts/answers.ts'

/** Texts and numbers in the language of the page, and its addresses. */
export interface Words extends Linked {
  readonly format: Format
  t(key: string, values?: Readonly<Record<string, string | number>>): string
  /** The address of the page with changed parameters. */
  address(changes: Readonly<Record<string, string | null>>): string
}

type Wait = BroadcastDetail['waiting'][number]

/** What mails or recipients wait for, as one sentence. */
export function waitWords(
  wait: Wait,
  { splitTest }: Pick<BroadcastDetail, 'splitTest'>,
  { t, format }: Pick<Words, 't' | 'format'>
): string {
  const { reason, cause, count, provider = '', message = '' } = wait
  const values = {
    count,
    provider,
    message,
    since: format.dateTime(wait.since),
    until: wait.until === undefined ? '' : format.dateTime(wait.until),
    by: splitTest == null ? '' : t(`broadcast.by.${splitTest.winner}`),
    why: cause === 'warm_up' ? t('broadcast.wait.warm_up') : t(`leftOut.why.${cause}`)
  }
  if (reason === 'wave' && cause !== undefined) return t(`broadcast.wait.wave.${cause}`, values)
  return t(`broadcast.wait.${cause === 'time_zone' ? cause : reason}`, values)
}
