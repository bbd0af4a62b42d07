// The gates before mails of a broadcast go out: the time, and the number of people or mails typed by hand.
import { formDialog, formField, formText, type Sending } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { Broadcast } from '../broadcasts/answers.ts'
import { isTyped, type TypedCount, typedCount } from '../typed-count.ts'
import type { Words } from './words.ts'

/** What a gate shows and does. */
export interface Gate extends TypedCount {
  readonly words: Words
  readonly sending: Sending
  readonly broadcast: Broadcast
  /** Whether a time is chosen. */
  readonly isLater: boolean
  onLater(isLater: boolean): void
  /** The cap of the next wave; empty for none. */
  onCap(text: string): void
  onClose(): void
  /** `at`: the text of the field for later; undefined for now. */
  onSchedule(at: string | undefined): void
  onResume(): void
  onRetry(): void
}

/** The gate of a draft. */
export function scheduleGate(gate: Gate): TemplateResult {
  const {
    words: { t, format },
    sending: { isSending, problem },
    broadcast,
    expected = 0,
    isLater,
    onLater,
    onClose
  } = gate
  const choice = (later: boolean, label: string) =>
    html`<label class="choice"><input type="radio" name="when" .checked=${later === isLater} @change=${() => onLater(later)} /><span>${label}</span></label>`
  const body = html`<fieldset><legend>${t('broadcast.when')}</legend>${choice(false, t('broadcast.now'))}${choice(true, t('broadcast.later'))}</fieldset>
    ${isLater ? formField(t('broadcast.at', { zone: format.timeZone }), html`<input class="field" type="datetime-local" name="at" />`) : nothing}
    ${typedCount(gate, t('broadcast.type'), t)}`
  return formDialog({
    isSending,
    problem,
    body,
    t,
    onClose,
    isLocked: !isTyped(gate),
    heading: t('broadcast.scheduleHeading', { name: broadcast.name, count: expected }),
    action: t('broadcast.send', { count: expected }),
    onSubmit: (form) => gate.onSchedule(isLater ? formText(form, 'at') : undefined)
  })
}

/** The gate of the next wave. */
export function resumeGate(gate: Gate): TemplateResult {
  const {
    words: { t, format },
    sending: { isSending, problem },
    broadcast,
    expected = 0,
    onClose,
    onCap
  } = gate
  const sent = format.number(broadcast.queuedCount)
  const body = html`${
    broadcast.recipientCap == null
      ? nothing
      : formField(
          t('broadcast.nextCap'),
          html`<input class="field" type="number" min="1" @input=${(event: Event) => onCap((event.target as HTMLInputElement).value)} />`,
          t('broadcast.nextCapHint', { sent })
        )
  }
    ${typedCount(gate, t('mail.typeMails'), t)}`
  return formDialog({
    isSending,
    problem,
    body,
    t,
    onClose,
    isLocked: !isTyped(gate),
    heading: t('broadcast.resumeHeading', { count: expected }),
    action: t('broadcast.resume'),
    onSubmit: () => gate.onResume()
  })
}

/** The gate of failed mails that are sent again. */
export function retryGate(gate: Gate): TemplateResult {
  const {
    words: { t },
    sending: { isSending, problem },
    expected = 0,
    onClose
  } = gate
  return formDialog({
    ...{ isSending, problem, t, onClose, isLocked: !isTyped(gate) },
    body: html`<p>${t('broadcast.retryText')}</p>${typedCount(gate, t('mail.typeMails'), t)}`,
    heading: t('broadcast.retryHeading', { count: expected }),
    action: t('broadcast.retry'),
    onSubmit: () => gate.onRetry()
  })
}
