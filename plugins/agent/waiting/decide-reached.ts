// Whether a send came as far as a caller waits for. Pure.
import type { MailState } from '@keelson/mailer/contracts'

/** What can be waited for. */
export const WAIT_TARGETS = ['sent', 'delivered', 'opened', 'clicked', 'terminal'] as const
export type WaitTarget = (typeof WAIT_TARGETS)[number]

type Progress = Pick<MailState, 'status' | 'sentAt' | 'deliveredAt' | 'openedAt' | 'firstClickAt'>

/** From these on nothing better is heard of a send. */
const TERMINAL: readonly string[] = [
  'delivered',
  'bounced',
  'failed',
  'suppressed',
  'cancelled',
  'complained'
]

/** Whether it is over, well or not. */
export const isTerminal = ({ status }: Pick<MailState, 'status'>): boolean =>
  TERMINAL.includes(status)

/** Whether the provider was asked, or the mail was stopped for good. */
export const isHandedOver = ({ status }: Pick<MailState, 'status'>): boolean =>
  !['queued', 'sending', 'deferred'].includes(status)

/** Opens and clicks are those of people. */
export function isReached(send: Progress, target: WaitTarget): boolean {
  switch (target) {
    case 'sent':
      return send.sentAt !== null
    case 'delivered':
      return send.deliveredAt !== null || send.status === 'delivered'
    case 'opened':
      return send.openedAt !== null
    case 'clicked':
      return send.firstClickAt !== null
    case 'terminal':
      return isTerminal(send)
  }
}

/** Whether waiting any longer is pointless: a stopped mail is neither sent nor opened. */
export const isHopeless = (send: Progress, target: WaitTarget): boolean =>
  isTerminal(send) && send.status !== 'delivered' && !isReached(send, target)
