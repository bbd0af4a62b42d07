// The gates before mails of a broadcast go out: what goes to whom, and the number of people or mails typed by hand.
import { formDialog, formField, formText, type Sending } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { BroadcastDetail, RecipientCount } from '../broadcasts/answers.ts'
import { nameFields } from '../name-fields.ts'
import { isTyped, type TypedCount, typedCount } from '../typed-count.ts'
import { isTooLow, limitOf, type ResumeChoice, type Tripped, trippedIn } from './resume-choice.ts'
import { waveWords } from './wave-words.ts'
import type { Words } from './words.ts'

/** What a gate shows and does. */
export interface Gate extends TypedCount {
  readonly words: Words
  readonly sending: Sending
  readonly broadcast: BroadcastDetail
  /** Who would be mailed; undefined while it is counted. */
  readonly count: RecipientCount | undefined
  /** Whether a time is chosen. */
  readonly isLater: boolean
  readonly choice: ResumeChoice
  onLater(isLater: boolean): void
  onChoice(change: Partial<ResumeChoice>): void
  onClose(): void
  /** `at`: the text of the field for later; undefined for now. */
  onSchedule(at: string | undefined): void
  onResume(): void
  onRetry(): void
  onCopy(copy: { readonly name: string; readonly slug: string }): void
}

/** The parts of a dialog that are the same in all gates. */
const dialogOf = ({ words: { t }, sending: { isSending, problem }, onClose }: Gate) => ({
  isSending,
  problem,
  t,
  onClose
})

/** A heading with the number, once it is known: until then it names none, rather than 0. */
const counted = ({ words: { t }, expected }: Gate, act: 'resume' | 'retry'): string =>
  expected === undefined
    ? t(`broadcast.${act}Counting`)
    : t(`broadcast.${act}Heading`, { count: expected })

/** The gate of a draft. */
export function scheduleGate(gate: Gate): TemplateResult {
  const { words, broadcast, expected = 0, count, isLater, onLater } = gate
  const { t, format } = words
  const { name, splitTest, wavePlan } = broadcast
  const all = count?.uncappedRecipientCount ?? expected
  const choice = (later: boolean, label: string) =>
    html`<label class="choice"><input type="radio" name="when" .checked=${later === isLater} @change=${() => onLater(later)} /><span>${label}</span></label>`
  const split = () =>
    html`<p class="quiet">${t('broadcast.scheduleSplit', { share: format.percent((splitTest?.testPercent ?? 0) / 100), arms: splitTest?.variants.map(({ name }) => name).join(' / ') ?? '', count: splitTest?.decideAfterHours ?? 0 })}</p>`
  const body = html`${splitTest == null ? nothing : split()} ${wavePlan == null ? nothing : html`<p class="quiet">${waveWords(wavePlan, { count: expected, splitTest }, words)}</p>`} ${sum(gate)}
    <fieldset><legend>${t('broadcast.when')}</legend>${choice(false, t('broadcast.now'))}${choice(true, t('broadcast.later'))}</fieldset>
    ${isLater ? formField(t('broadcast.at', { zone: format.timeZone }), html`<input class="field" type="datetime-local" name="at" />`) : nothing}
    ${typedCount(gate, t('broadcast.type'), t)}`
  return formDialog({
    ...dialogOf(gate),
    body,
    isLocked: !isTyped(gate),
    heading:
      gate.expected === undefined
        ? t('broadcast.scheduleCounting', { name })
        : all > expected
          ? t('broadcast.scheduleFirst', { name, count: expected, all: format.number(all) })
          : t('broadcast.scheduleHeading', { name, count: expected }),
    action:
      gate.expected === undefined
        ? t('broadcast.sendCounting')
        : t('broadcast.send', { count: expected }),
    onSubmit: (form) => gate.onSchedule(isLater ? formText(form, 'at') : undefined)
  })
}

/** How the number came about: matched, less those who are left out. The lines are there while it is counted, too. */
function sum({ words: { t, format }, count }: Gate): TemplateResult {
  const { segment, recipientCount = 0, uncappedRecipientCount = 0 } = count ?? {}
  const excluded = Object.entries(segment?.excluded ?? {}).filter(([, left]) => left > 0)
  const later = uncappedRecipientCount - recipientCount
  const less = (label: string, left: number) =>
    html`<dt>${label}</dt><dd>− ${format.number(left)}</dd>`
  return html`<dl class="sum">
    <dt>${t('broadcast.sum.matched')}</dt><dd>${segment === undefined ? '…' : format.number(segment.matched)}</dd>
    ${excluded.map(([reason, left]) => less(t(`broadcast.sum.${reason}`), left))}
    ${later > 0 ? less(t('broadcast.sum.later'), later) : nothing}
    <dt class="total">${t('broadcast.sum.total')}</dt><dd class="total">${count === undefined ? '…' : format.number(recipientCount)}</dd>
  </dl>`
}

/** The gate of a paused broadcast: what cannot go on is said before a number is typed. */
export function resumeGate(gate: Gate): TemplateResult {
  const { words, broadcast, expected = 0, choice, count } = gate
  const { t } = words
  const tripped = trippedIn(broadcast)
  const isKept = tripped !== undefined && isTooLow(choice, tripped)
  const isEmpty = count !== undefined && expected === 0
  const body = html`${tripped === undefined ? nothing : waysOf(tripped, gate)}
    ${broadcast.recipientCap == null ? nothing : waveSize(gate)}
    ${isEmpty ? html`<p class="problem" role="status">${t('broadcast.nothingLeft')}</p>` : nothing}
    ${isKept || isEmpty ? nothing : typedCount(gate, t('mail.typeMails'), t)}`
  return formDialog({
    ...dialogOf(gate),
    body,
    isLocked: isKept || isEmpty || !isTyped(gate),
    heading: counted(gate, 'resume'),
    action: t('broadcast.resume'),
    onSubmit: () => gate.onResume()
  })
}

function waveSize({ words: { t }, broadcast, onChoice, choice }: Gate): TemplateResult {
  const left = broadcast.progress.total - broadcast.queuedCount
  const field = html`<input class="field" type="number" min="1" .value=${choice.size} @input=${(event: Event) => onChoice({ size: (event.target as HTMLInputElement).value })} />`
  return formField(t('broadcast.waveSize'), field, t('broadcast.waveSizeHint', { count: left }))
}

/** Another limit, or without the addresses that bounces come from. */
function waysOf(
  tripped: Tripped,
  { words: { t, format }, choice, onChoice }: Gate
): TemplateResult {
  const { rule, ratePct, limitPct, sample } = tripped
  const rate = format.percent(ratePct / 100, 1)
  const way = (one: ResumeChoice['way'], label: string) =>
    html`<label class="choice"><input type="radio" name="way" .checked=${choice.way === one} @change=${() => onChoice({ way: one })} /><span>${label}</span></label>`
  const limit = () =>
    html`${formField(t('broadcast.newLimit'), html`<input class="field" type="number" min="0" max="100" step="any" .value=${String(limitOf(choice, tripped))} @input=${(event: Event) => onChoice({ limit: (event.target as HTMLInputElement).value })} />`)}
      ${isTooLow(choice, tripped) ? html`<p class="problem" role="status">${t('broadcast.limitTooLow', { rate })}</p>` : nothing}`
  return html`<p>${t(`broadcast.breach.${rule}`, { rate, count: sample, limit: format.percent(limitPct / 100, 1) })}</p>
    <fieldset><legend>${t('broadcast.goOn')}</legend>
      ${way('limit', t('broadcast.withLimit'))} ${choice.way === 'limit' ? limit() : nothing}
      ${way('without', t('broadcast.withoutRisky'))}
      ${choice.way === 'without' ? html`<p class="quiet">${t('broadcast.withoutRiskyHint')}</p>` : nothing}
    </fieldset>`
}

/** The gate of failed mails that are sent again. */
export function retryGate(gate: Gate): TemplateResult {
  const { t } = gate.words
  return formDialog({
    ...dialogOf(gate),
    isLocked: !isTyped(gate),
    body: html`<p>${t('broadcast.retryText')}</p>${typedCount(gate, t('mail.typeMails'), t)}`,
    heading: counted(gate, 'retry'),
    action: t('broadcast.retry'),
    onSubmit: () => gate.onRetry()
  })
}

/** Asks for the name of a copy, or of a second mail to those who did not open the first. */
export function copyGate(gate: Gate, kind: 'duplicate' | 'again'): TemplateResult {
  const { words, broadcast } = gate
  const { t } = words
  return formDialog({
    ...dialogOf(gate),
    body: html`${kind === 'again' ? html`<p>${t('broadcast.againText')}</p>` : nothing}${nameFields(t)}`,
    heading: t(`broadcast.${kind}Heading`, { name: broadcast.name }),
    action: t('mail.create'),
    onSubmit: (form) => gate.onCopy({ name: formText(form, 'name'), slug: formText(form, 'slug') })
  })
}
