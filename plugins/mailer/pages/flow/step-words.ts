// What a card says of a step. Pure.

import type { DeliveryWindow } from '@keelson/sdk/delivery-window'
import type { Format } from '@keelson/ui'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { predicateWords } from './predicates.ts'

type T = (key: string, values?: Readonly<Record<string, string | number>>) => string

/** The languages of a page. */
export interface Words {
  readonly t: T
  readonly format: Format
  /** The name of a template; the slug where it was deleted. */
  readonly templateName: (slug: string) => string
}

/** A card in words. */
export interface StepWords {
  readonly title: string
  /** Its type, and what else to know. */
  readonly note: string
}

const EMPTY = '…'

/** `3 days` */
export function durationWords(
  { value, unit }: { readonly value?: number; readonly unit?: string },
  { format }: Words
): string {
  if (typeof value !== 'number') return EMPTY
  const name = (unit ?? 'days').replace(/s$/, '')
  return format.number(value, { style: 'unit', unit: name, unitDisplay: 'long' })
}

/** `weekdays 09:00` */
export function deliveryWords(window: DeliveryWindow | undefined, { t }: Words): string {
  if (window === undefined) return ''
  const { weekdaysOnly, timeOfDay, useContactTimezone, timezone } = window
  return [
    weekdaysOnly ? t('flow.weekdays') : '',
    timeOfDay ?? '',
    useContactTimezone ? t('flow.contactZone') : (timezone ?? '')
  ]
    .filter((part) => part !== '')
    .join(', ')
}

/** The words of a step, of a draft that may be unfinished too. */
export function stepWords(step: FlowStep, words: Words): StepWords {
  const { t } = words
  const type = t(`step.${step.type}`)
  const [title, ...more] = partsOfStep(step, words)
  return { title: title || EMPTY, note: [type, ...more].filter(Boolean).join(' · ') }
}

function partsOfStep(step: FlowStep, words: Words): readonly (string | undefined)[] {
  const { t, format } = words
  switch (step.type) {
    case 'send':
      return [words.templateName(step.templateSlug), deliveryWords(step.delivery, words)]
    case 'wait':
      return [durationWords(step, words)]
    case 'waitUntil': {
      const window = deliveryWords(step.delivery, words)
      const time = step.at ?? step.property ?? step.field
      return time === undefined ? [window] : [time, window]
    }
    case 'waitForEvent': {
      const time = durationWords(step.timeout ?? {}, words)
      const same = step.match === undefined ? '' : t('flow.same', { property: step.match.property })
      return [[step.eventName, same].filter(Boolean).join(' '), t('flow.upTo', { time })]
    }
    case 'condition':
      return [predicateWords(step.test, words), t(`flow.else.${step.ifFalse}`)]
    case 'branch':
      return [predicateWords(step.test, words)]
    case 'split':
      return [
        format.list(step.arms.map(({ name }) => name || EMPTY)),
        step.arms.map(({ percent }) => format.number(percent || 0)).join(' / ')
      ]
    case 'tag': {
      const list = (tags: readonly string[] = []) => tags.join(', ')
      const { addTags = [], removeTags = [] } = step
      return [
        [
          addTags.length > 0 ? t('flow.addTags', { tags: list(addTags) }) : '',
          removeTags.length > 0 ? t('flow.removeTags', { tags: list(removeTags) }) : ''
        ]
          .filter(Boolean)
          .join(', ')
      ]
    }
    case 'fire_event':
      return [step.eventName]
    case 'webhook':
      return [step.url?.replace(/^https?:\/\//, ''), step.method ?? 'POST']
    case 'exit':
      return [step.reason ?? t('flow.exitPlain')]
    default:
      return [(step as { readonly type: string }).type]
  }
}
