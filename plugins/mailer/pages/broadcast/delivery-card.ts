// How the mails of a broadcast go out: at once, a first wave with the others by hand, or waves by themselves.
import { formField } from '@keelson/ui'
import { html, nothing, type TemplateResult } from 'lit'
import type { BroadcastDraft } from '../../campaigns/broadcasts/draft-broadcast.ts'
import type { Broadcast } from '../broadcasts/answers.ts'
import { type Compose, onNumber, valueIn } from './compose-fields.ts'
import { waveWords } from './wave-words.ts'
import type { Words } from './words.ts'

type Plan = NonNullable<Broadcast['wavePlan']>

const PACES = ['once', 'byHand', 'byThemselves'] as const
type Pace = (typeof PACES)[number]

/** What a choice begins with. */
const STARTS: Readonly<Record<Pace, Pick<BroadcastDraft, 'recipientCap' | 'wavePlan'>>> = {
  once: { recipientCap: null, wavePlan: null },
  byHand: { recipientCap: 100, wavePlan: null },
  byThemselves: { recipientCap: null, wavePlan: { percent: 25, everyMinutes: 60 } }
}
const INTERVALS = [5, 15, 30, 60, 120, 240, 720, 1440, 2880, 10_080]
const MINUTE = 60_000

const paceOf = ({ wavePlan, recipientCap }: Broadcast): Pace =>
  wavePlan != null ? 'byThemselves' : recipientCap != null ? 'byHand' : 'once'

/** The fields of the card. */
export function deliveryFields(view: Compose): TemplateResult {
  const { words, broadcast, onChange } = view
  const { t } = words
  const { recipientCap, wavePlan } = broadcast
  const pace = paceOf(broadcast)
  const choices = PACES.map(
    (one) =>
      html`<option value=${one} ?selected=${one === pace}>${t(`broadcast.pace.${one}`)}</option>`
  )
  const cap = (event: Event) => {
    const { value, validity } = event.target as HTMLInputElement
    onChange({ recipientCap: value === '' ? null : Number(value) }, value === '' || !validity.valid)
  }
  return html`${formField(t('broadcast.pace'), html`<select class="field" @change=${(event: Event) => onChange(STARTS[valueIn(event) as Pace])}>${choices}</select>`)}
    ${pace === 'once' ? nothing : wavePlan == null || recipientCap != null ? formField(t('broadcast.cap'), html`<input class="field" type="number" min="1" step="1" .value=${String(recipientCap ?? '')} @input=${cap} />`, t('broadcast.capHint')) : nothing}
    ${wavePlan == null ? nothing : planFields(wavePlan, view)}`
}

function planFields(plan: Plan, { words, broadcast, count, onChange }: Compose): TemplateResult {
  const { t } = words
  const { people, percent, everyMinutes } = plan
  const unit = people === undefined ? 'percent' : 'people'
  const change = (size: number, by: string, every: number, isHeld = false) =>
    onChange(
      {
        wavePlan:
          by === 'people'
            ? { people: size, everyMinutes: every }
            : { percent: size, everyMinutes: every }
      },
      isHeld
    )
  const size = people ?? percent ?? 100
  const onSize = onNumber((value, isHeld) => change(value, unit, everyMinutes, isHeld))
  const onUnit = (event: Event) => {
    const by = valueIn(event)
    change(by === 'people' ? 100 : 25, by, everyMinutes)
  }
  const units = (['percent', 'people'] as const).map(
    (one) =>
      html`<option value=${one} ?selected=${one === unit}>${t(`broadcast.waveUnit.${one}`)}</option>`
  )
  const total = count.value?.recipientCount
  return html`<div class="pairs">
      ${formField(t('broadcast.waveOfEach'), html`<input class="field" type="number" min="1" max=${unit === 'percent' ? 100 : nothing} step=${unit === 'percent' ? 'any' : 1} .value=${String(size)} @input=${onSize} />`)}
      ${formField(t('broadcast.waveUnit'), html`<select class="field" @change=${onUnit}>${units}</select>`)}
      ${formField(t('broadcast.waveEvery'), html`<select class="field" @change=${(event: Event) => change(size, unit, Number(valueIn(event)))}>${intervals(everyMinutes, words)}</select>`)}
    </div>
    <p class="quiet waved" role="status">${total === undefined ? t('broadcast.counting') : waveWords(plan, { count: total, splitTest: broadcast.splitTest }, words)} ${t('broadcast.waveNote')}</p>`
}

const intervals = (chosen: number, { format }: Words): readonly TemplateResult[] =>
  [...new Set([...INTERVALS, chosen])]
    .sort((one, other) => one - other)
    .map(
      (minutes) =>
        html`<option value=${minutes} ?selected=${minutes === chosen}>${format.duration(minutes * MINUTE)}</option>`
    )
