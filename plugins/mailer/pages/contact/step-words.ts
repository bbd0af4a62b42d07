// A step of a contact's consent as a sentence: what happened, where, and why.
import type { Format } from '@keelson/ui'
import type { ConsentStep } from './timeline.ts'

/** The languages of the words. */
export interface StepWords {
  readonly format: Format
  t(key: string, values?: Readonly<Record<string, string | number>>): string
}

/** A code in words; what a person or the host wrote is shown as it is. */
export function codeWords(group: string, code: string, t: StepWords['t']): string {
  const key = `${group}.${code.split(':')[0]}`
  const words = t(key)
  return words === key ? code : words
}

/** The sentence; without its category, as below the name of the category. */
export function stepWords(step: ConsentStep, { t, format }: StepWords): string {
  const { what, source, reason, category, until } = step
  const values = {
    category: category ?? '',
    time: until === undefined ? '' : format.dateTime(until)
  }
  const more = [
    source === undefined ? '' : codeWords('consent.source', source, t),
    reason === undefined ? '' : codeWords('consent.reason', reason, t)
  ].filter((part, at, all) => part !== '' && all.indexOf(part) === at)
  const isHere = category === undefined && what.startsWith('category')
  return [t(`consent.${what}${isHere ? 'Here' : ''}`, values), ...more].join(' · ')
}
