// Predicates as forms and as words: which kinds there are, and what each asks for. Pure.
import type { Predicate } from '../../ledger/flow-steps.ts'
import { type Field, fieldAt } from './fields.ts'

type T = (key: string, values?: Readonly<Record<string, string | number>>) => string

/** The language of a predicate. */
interface PredicateLanguage {
  readonly t: T
  /** The name of a template; the slug where it was deleted. */
  readonly templateName: (slug: string) => string
}

const since = (prefix: string): readonly Field[] => [
  { path: `${prefix}withinDays`, kind: 'number', optional: true },
  { path: `${prefix}sinceFlowStart`, kind: 'flag', optional: true }
]
const engaged = (kind: string): readonly Field[] => [
  { path: `${kind}.templateSlug`, kind: 'template', optional: true },
  ...since(`${kind}.`)
]
const counted = (kind: string): readonly Field[] => [
  { path: `${kind}.count`, kind: 'number' },
  ...engaged(kind)
]
const STATUSES = ['subscribed', 'pending_doi', 'unsubscribed', 'bounced', 'complained']

/** The fields of each kind that has no other predicate inside. */
export const LEAVES: Readonly<Record<string, readonly Field[]>> = {
  hasTag: [{ path: 'hasTag', kind: 'text' }],
  notHasTag: [{ path: 'notHasTag', kind: 'text' }],
  fieldEquals: [
    { path: 'fieldEquals.field', kind: 'text' },
    { path: 'fieldEquals.value', kind: 'value' }
  ],
  fieldExists: [{ path: 'fieldExists', kind: 'text' }],
  triggerPropertyEquals: [
    { path: 'triggerPropertyEquals.property', kind: 'text' },
    { path: 'triggerPropertyEquals.value', kind: 'value' }
  ],
  triggerPropertyTruthy: [{ path: 'triggerPropertyTruthy', kind: 'text' }],
  subscriptionStatus: [{ path: 'subscriptionStatus', kind: 'choice', options: STATUSES }],
  hasFiredEvent: [{ path: 'hasFiredEvent', kind: 'event' }, ...since('')],
  notHasFiredEvent: [{ path: 'notHasFiredEvent', kind: 'event' }, ...since('')],
  hasOpened: engaged('hasOpened'),
  hasClicked: engaged('hasClicked'),
  hasOpenedExcludingBots: engaged('hasOpenedExcludingBots'),
  hasClickedExcludingBots: engaged('hasClickedExcludingBots'),
  openedAtLeastN: counted('openedAtLeastN'),
  clickedAtLeastN: counted('clickedAtLeastN')
}

/** The kind of a predicate; undefined for one that has none yet. */
export function kindOfPredicate(predicate: unknown): string | undefined {
  if (typeof predicate !== 'object' || predicate === null) return undefined
  return Object.keys(predicate).find(
    (name) => name === 'all' || name === 'any' || name === 'not' || Object.hasOwn(LEAVES, name)
  )
}

/** A predicate of a kind, to be filled in. */
export function newPredicate(kind: string): Predicate {
  const fresh = () => ({ hasTag: '' })
  if (kind === 'all' || kind === 'any') return { [kind]: [fresh()] } as unknown as Predicate
  if (kind === 'not') return { not: fresh() }
  if (kind === 'subscriptionStatus') return { subscriptionStatus: 'subscribed' }
  if (/^(opened|clicked)At/.test(kind)) return { [kind]: { count: 1 } } as unknown as Predicate
  const isGroup = LEAVES[kind]?.[0]?.path.includes('.') === true
  return { [kind]: isGroup ? {} : '' } as unknown as Predicate
}

/** The predicates in a group. */
export function partsOf(predicate: unknown): readonly Predicate[] {
  const kind = kindOfPredicate(predicate)
  const parts = kind === undefined ? undefined : (predicate as Record<string, unknown>)[kind]
  if (kind === 'not') return [parts as Predicate]
  return (kind === 'all' || kind === 'any') && Array.isArray(parts) ? parts : []
}

const BETWEEN: Readonly<Record<string, string>> = { all: 'predicate.and', any: 'predicate.or' }

/** A predicate in words: `has tag beta and (plan is pro or opened welcome)`. */
export function predicateWords(predicate: unknown, words: PredicateLanguage, depth = 0): string {
  const { t } = words
  const kind = kindOfPredicate(predicate)
  if (kind === undefined) return t('predicate.none')
  if (kind === 'not')
    return t('predicate.not', { what: predicateWords(partsOf(predicate)[0], words, 1) })
  const between = BETWEEN[kind]
  if (between === undefined) return leafWords(kind, predicate, words)
  const parts = partsOf(predicate)
  const said = parts.map((part) => predicateWords(part, words, depth + 1)).join(` ${t(between)} `)
  return depth > 0 && parts.length > 1 ? `(${said})` : said
}

const NAMED = ['field', 'property', 'templateSlug'] as const

function leafWords(
  kind: string,
  predicate: unknown,
  { t, templateName }: PredicateLanguage
): string {
  const own = fieldAt(predicate, kind)
  const text = (value: unknown): string =>
    typeof value === 'string' ? value || '…' : (JSON.stringify(value) ?? '…')
  const [field = '…', property = '…', template] = NAMED.map((name) => {
    const value = fieldAt(own, name)
    return value === undefined ? undefined : text(value)
  })
  const count = fieldAt(own, 'count')
  const values = {
    name: nameOf(kind, own, t) ?? (field === '…' ? property : field),
    value: text(fieldAt(own, 'value')),
    template: template === undefined ? t('predicate.anyMail') : templateName(template),
    count: typeof count === 'number' ? count : '…'
  }
  const days = fieldAt(predicate, 'withinDays') ?? fieldAt(own, 'withinDays')
  const start = fieldAt(predicate, 'sinceFlowStart') ?? fieldAt(own, 'sinceFlowStart')
  return [
    t(`predicate.${kind}.words`, values),
    typeof days === 'number' ? t('predicate.withinDays', { count: days }) : '',
    start === true ? t('predicate.sinceFlowStart') : ''
  ]
    .filter((part) => part !== '')
    .join(' ')
}

/** What a kind with one word names; undefined for the others. A status is a code. */
function nameOf(kind: string, own: unknown, t: T): string | undefined {
  if (typeof own !== 'string') return undefined
  return kind === 'subscriptionStatus' ? t(`option.${own}`) : own || '…'
}
