// The Feedback-ID of marketing mail, by which a feedback loop names the campaign that people complain about. Pure.
import { createHash } from 'node:crypto'
import type { SendRow } from '../../ledger/send-row.ts'

/** A sender id has 5 to 15 characters and is the same in all mail of a sender. */
const SENDER_ID_LENGTH = 12

/**
 * `<campaign>:<template>:<origin>:<sender>`: slug of the broadcast, flow or other campaign, slug of the template, which
 * of them it is, and an id of the From domain. Nothing in it is of a recipient.
 *
 * @see https://support.google.com/a/answer/6254652
 */
export function feedbackId(
  {
    broadcastSlug,
    flowSlug,
    campaign: other,
    templateSlug
  }: Pick<SendRow, 'broadcastSlug' | 'flowSlug' | 'campaign' | 'templateSlug'>,
  fromDomain: string
): string {
  const sender = createHash('sha256').update(fromDomain).digest('hex').slice(0, SENDER_ID_LENGTH)
  const [campaign, origin] =
    broadcastSlug !== undefined
      ? [broadcastSlug, 'broadcast']
      : flowSlug !== undefined
        ? [flowSlug, 'flow']
        : other !== undefined
          ? [other.slug, other.kind]
          : ['single', 'single']
  return [campaign, templateSlug, origin, sender].join(':')
}
