// A schedule as a field of a form: chosen in words, sent as cron by the hidden input inside.
import { controls, define, KeelsonElement } from '@keelson/ui'
import { css, html, nothing, type TemplateResult } from 'lit'
import { registerEditTexts } from './edit-texts.ts'
import {
  cronOf,
  MOST_DAYS,
  REPEATS,
  type Repeat,
  readSchedule,
  type Schedule,
  weekdayOf
} from './schedule.ts'

const MONDAY_FIRST = [1, 2, 3, 4, 5, 6, 0]

/** Holds one `<input type="hidden">`, whose value is a cron expression. */
class ScheduleField extends KeelsonElement {
  static readonly tag = 'mailer-schedule-field'
  static override readonly styles = [
    controls,
    css`
    :host { display: block; }
    .row { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; }
    .field { inline-size: auto; flex: 1 1 110px; }
    small { color: var(--_ink-3); font-size: var(--_text-sm); }
  `
  ]
  static override readonly properties = { _schedule: { state: true } }
  declare _schedule: Schedule | undefined

  get #input(): HTMLInputElement | null {
    return this.querySelector('input')
  }

  #change(change: Partial<Schedule>): void {
    const before = this._schedule ?? readSchedule(this.#input?.value ?? '')
    // Going on from a choice, a cron expression begins with what the choice says.
    const cron = change.repeat === 'custom' ? { cron: cronOf(before) } : {}
    this._schedule = { ...before, ...cron, ...change }
    const input = this.#input
    if (input === null) return
    input.value = cronOf(this._schedule)
    input.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
  }

  override render(): TemplateResult {
    const { t } = this
    const schedule = this._schedule ?? readSchedule(this.#input?.value ?? '')
    const { repeat, time, cron } = schedule
    const typed = (event: Event) => (event.target as HTMLInputElement).value
    return html`<slot></slot><div class="row">
        <select class="field" aria-label=${t('schedule.repeat')} @change=${(event: Event) => this.#change({ repeat: typed(event) as Repeat })}>
          ${REPEATS.map((one) => html`<option value=${one} ?selected=${one === repeat}>${t(one === 'day' ? 'schedule.repeatDay' : `schedule.${one}`)}</option>`)}
        </select>
        ${this.#days(schedule)}
        ${
          repeat === 'custom'
            ? html`<input class="field mono" required aria-label=${t('schedule.cron')} .value=${cron} @input=${(event: Event) => this.#change({ cron: typed(event) })} />`
            : html`<input class="field" type="time" required aria-label=${t('schedule.time')} .value=${time} @input=${(event: Event) => typed(event) !== '' && this.#change({ time: typed(event) })} />`
        }
      </div>
      <small>${t(repeat === 'custom' ? 'flowForm.cronHint' : 'schedule.utc')}</small>`
  }

  #days({ repeat, weekday, day }: Schedule): TemplateResult | typeof nothing {
    const { t } = this
    const pick = (
      label: string,
      values: readonly number[],
      now: number,
      words: (value: number) => string,
      take: (value: number) => void
    ) =>
      html`<select class="field" aria-label=${t(label)} @change=${(event: Event) => take(Number((event.target as HTMLSelectElement).value))}>
        ${values.map((one) => html`<option value=${one} ?selected=${one === now}>${words(one)}</option>`)}
      </select>`
    if (repeat === 'week')
      return pick(
        'schedule.weekday',
        MONDAY_FIRST,
        weekday,
        (one) => weekdayOf(one, this.format.locale),
        (one) => this.#change({ weekday: one })
      )
    if (repeat !== 'month') return nothing
    const days = Array.from({ length: MOST_DAYS }, (_, at) => at + 1)
    return pick(
      'schedule.dom',
      days,
      day,
      (one) => t('schedule.dayOf', { day: one }),
      (one) => this.#change({ day: one })
    )
  }
}

/** Registers texts and the element; cheap to call again. */
export function defineScheduleField(): void {
  registerEditTexts()
  define(ScheduleField)
}
