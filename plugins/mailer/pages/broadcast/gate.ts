// The gate before a broadcast goes out: its time, and the number of people typed by hand.
import { formDialog, formField, formText, type Sending } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { Broadcast } from '../broadcasts/answers.ts'
import type { Words } from './words.ts'

/** What a gate shows and does. */
export interface Gate {
  readonly words: Words
  readonly sending: Sending
  readonly broadcast: Broadcast
  /** What must be typed; undefined while it is counted. */
  readonly expected: number | undefined
  /** What was typed. */
  readonly typed: string
  /** The count changed since it was typed. */
  readonly hasChanged: boolean
  /** Whether a time is chosen. */
  readonly isLater: boolean
  onTyped(text: string): void
  onLater(isLater: boolean): void
  /** The cap of the next wave; empty for none. */
  onCap(text: string): void
  onClose(): void
  /** `at`: the text of the field for later; undefined for now. */
  onSchedule(at: string | undefined): void
  onResume(): void
}

function typedField(
  { words: { t }, expected, typed, hasChanged, onTyped }: Gate,
  label: string
): TemplateResult {
  const isRight = expected !== undefined && typed === String(expected)
  return html`${formField(
    label,
    html`<input class="field" name="typed" autofocus inputmode="numeric" autocomplete="off" .value=${typed} aria-invalid=${hasChanged && !isRight ? 'true' : 'false'}
      @input=${(event: Event) => onTyped((event.target as HTMLInputElement).value.trim())} />`
  )}
    <p role="status" class=${hasChanged && !isRight ? 'problem' : 'quiet'}>${isRight ? t('broadcast.matches') : hasChanged && expected !== undefined ? t('broadcast.changed', { count: expected }) : nothing}</p>`
}

const isLocked = ({ expected, typed }: Gate) => expected === undefined || typed !== String(expected)

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
    ${typedField(gate, t('broadcast.type'))}`
  return formDialog({
    isSending,
    problem,
    body,
    t,
    onClose,
    isLocked: isLocked(gate),
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
    ${typedField(gate, t('broadcast.typeMails'))}`
  return formDialog({
    isSending,
    problem,
    body,
    t,
    onClose,
    isLocked: isLocked(gate),
    heading: t('broadcast.resumeHeading', { count: expected }),
    action: t('broadcast.resume'),
    onSubmit: () => gate.onResume()
  })
}
