// What keeps the steps of a draft from being published, in words for their cards: known before the server is asked. Pure.
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { type Field, fieldAt } from './fields.ts'
import { kindOfPredicate, LEAVES, partsOf } from './predicates.ts'
import { STEP_FIELDS } from './step-forms.ts'

type T = (key: string, values?: Readonly<Record<string, string | number>>) => string

/** Shares with fractions may not add up to exactly 100. */
const ROUNDING = 0.01

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (typeof value === 'number' && Number.isNaN(value))

const emptyOf = (fields: readonly Field[], of: unknown): Field | undefined =>
  fields.find(({ path, optional }) => optional !== true && isEmpty(fieldAt(of, path)))

/** Whether every rule of a predicate says what it asks for. */
export function isFilled(predicate: unknown): boolean {
  const kind = kindOfPredicate(predicate)
  if (kind === undefined) return false
  const leaf = LEAVES[kind]
  if (leaf !== undefined) return emptyOf(leaf, predicate) === undefined
  const parts = partsOf(predicate)
  return parts.length > 0 && parts.every(isFilled)
}

/** Why a step cannot be published; undefined when nothing is missing. */
export function faultOf(step: FlowStep, t: T): string | undefined {
  const empty = emptyOf(STEP_FIELDS[step.type] ?? [], step)
  if (empty?.kind === 'template') return t('fault.template')
  if (empty?.kind === 'event') return t('fault.event')
  if (empty !== undefined) return t('fault.field', { field: t(`field.${step.type}.${empty.path}`) })
  switch (step.type) {
    case 'condition':
    case 'branch':
      return isFilled(step.test) ? undefined : t('fault.rule')
    case 'split': {
      const total = step.arms.reduce((sum, { percent }) => sum + (percent || 0), 0)
      return Math.abs(total - 100) > ROUNDING ? t('fault.shares') : undefined
    }
    case 'waitUntil': {
      const { at, property, field, delivery } = step
      const isSet = delivery !== undefined || [at, property, field].some((one) => !isEmpty(one))
      return isSet ? undefined : t('fault.time')
    }
    default:
      return undefined
  }
}
