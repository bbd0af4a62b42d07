// The status of a mail as a tag: a word and a colour.
import { html, type TemplateResult } from 'lit'
import type { SendStatus } from '../ledger/send-status.ts'

const TONES: Readonly<Record<SendStatus, string>> = {
  queued: '',
  deferred: 'warn',
  held: 'warn',
  sending: 'info',
  sent: 'info',
  failed: 'bad',
  unknown: 'warn',
  suppressed: '',
  cancelled: '',
  holdout: '',
  delivered: 'good',
  opened: 'good',
  clicked: 'good',
  bounced: 'bad',
  complained: 'bad'
}

/** What a tag is about. */
export interface TaggedSend {
  readonly status: SendStatus
  /** Left out when only machines opened it. */
  readonly humanOpenedAt?: string
  /** Left out when only machines clicked in it. */
  readonly humanClickedAt?: string
}

/** The word of a status: an open or a click says when only machines made it. */
export function statusWord(
  { status, humanOpenedAt, humanClickedAt }: TaggedSend,
  t: (key: string) => string
): string {
  const isByMachine =
    (status === 'opened' && humanOpenedAt === undefined) ||
    (status === 'clicked' && humanClickedAt === undefined)
  return t(`mail.status.${status}${isByMachine ? 'Machine' : ''}`)
}

/** The tag of a mail. */
export const statusTag = (send: TaggedSend, t: (key: string) => string): TemplateResult =>
  html`<span class="tag ${TONES[send.status] ?? ''}">${statusWord(send, t)}</span>`
