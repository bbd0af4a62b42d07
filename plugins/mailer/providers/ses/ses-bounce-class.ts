// What SES makes of a bounce, for SES and for vendors that repeat its words. Pure.
import type { BounceClass } from '../../contracts/mailer-provider.ts'

const SUBTYPES: ReadonlyMap<unknown, BounceClass> = new Map<string, BounceClass>([
  ['MailboxFull', 'mailbox_full'],
  ['MessageTooLarge', 'content'],
  ['ContentRejected', 'content'],
  ['AttachmentRejected', 'content'],
  ['CustomTimeoutExceeded', 'routing']
])

/**
 * `Transient` and `General` without anything that a server said is how SES reports an automatic reply, as
 * "out of office": the mail was delivered.
 */
export function sesBounceClass(
  bounceType: unknown,
  bounceSubType: unknown,
  hasServerWords: boolean
): BounceClass {
  if (bounceType === 'Permanent') return SUBTYPES.get(bounceSubType) ?? 'mailbox'
  const isReply = bounceType === 'Transient' && bounceSubType === 'General' && !hasServerWords
  return SUBTYPES.get(bounceSubType) ?? (isReply ? 'auto_reply' : 'unknown')
}
