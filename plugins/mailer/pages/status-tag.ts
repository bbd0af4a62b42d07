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

/** The tag of a status. */
export const statusTag = (status: SendStatus, t: (key: string) => string): TemplateResult =>
  html`<span class="tag ${TONES[status] ?? ''}">${t(`mail.status.${status}`)}</span>`
