import { createFormat } from '@keelson/ui'
import fc from 'fast-check'
import { test } from 'tap'
import { checkSteps } from '../../campaigns/flows/interpret/check-steps.ts'
import { diffLines } from '../../ledger/diff-lines.ts'
import { flowSteps } from '../../ledger/flow-steps.ts'
import { type Field, fieldAt, readText, textOf, withField } from './fields.ts'
import { kindOfPredicate, LEAVES, newPredicate, partsOf, predicateWords } from './predicates.ts'
import { newStep, STEP_FIELDS, STEP_TYPES, stepsOfDraft } from './step-forms.ts'
import { stepLines } from './step-lines.ts'
import german from './step-texts.de.json' with { type: 'json' }
import english from './step-texts.en.json' with { type: 'json' }
import { stepWords, type Words } from './step-words.ts'
import { stopsOf, walkedOf } from './walked-path.ts'

interface Schema {
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
}
const { Step, Predicate } = (
  flowSteps as unknown as { $defs: Readonly<Record<'Step' | 'Predicate', Schema>> }
).$defs

/** Paths of the values in a schema, without those of `apart`. */
function pathsIn(schema: Schema, apart: readonly string[], prefix = ''): string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
    if (apart.includes(name)) return []
    const path = `${prefix}${name}`
    return part.properties === undefined ? [path] : pathsIn(part, apart, `${path}.`)
  })
}
const sorted = (paths: readonly string[]) => [...paths].sort()
const words: Words = {
  t: (key, values = {}) => [key, ...Object.values(values)].join(' '),
  format: createFormat('en'),
  templateName: (slug) => slug
}

test('every type of step has a form with exactly the fields of its schema', async (t) => {
  const apart = ['type', 'test', 'ifTrueSteps', 'ifFalseSteps', 'timeoutSteps', 'arms']
  const types = (Step.anyOf ?? []).map((schema) => {
    const type = String(schema.properties?.['type']?.const) as keyof typeof STEP_FIELDS
    const fields = STEP_FIELDS[type]?.map(({ path }) => path) ?? []
    t.same(sorted(fields), sorted(pathsIn(schema, apart)), type)
    return type
  })
  t.same(sorted(types), sorted(STEP_TYPES))
})

test('every predicate without others inside has a form with exactly its fields', async (t) => {
  const leaves = (Predicate.anyOf ?? []).filter(
    ({ properties = {} }) => !['all', 'any', 'not'].some((name) => name in properties)
  )
  const kinds = leaves.map((schema) => {
    const kind = Object.keys(schema.properties ?? {}).find((name) => name in LEAVES) ?? '?'
    t.same(sorted(LEAVES[kind]?.map(({ path }) => path) ?? []), sorted(pathsIn(schema, [])), kind)
    return kind
  })
  t.same(sorted(kinds), sorted(Object.keys(LEAVES)))
})

test('a new step needs no more than its required fields', async (t) => {
  const fill: Readonly<Record<string, unknown>> = {
    templateSlug: 'welcome',
    eventName: 'e',
    url: 'https://a.test',
    'test.hasTag': 'a'
  }
  for (const type of STEP_TYPES) {
    const made: unknown = newStep(type)
    const step = Object.entries(fill).reduce(
      (at, [path, value]) => (fieldAt(at, path) === '' ? withField(at, path, value) : at),
      made
    )
    t.same(checkSteps([step], new Set(['welcome'])), [], type)
  }
})

test('a new predicate has its kind, and groups have parts', async (t) => {
  for (const kind of [...Object.keys(LEAVES), 'all', 'any', 'not']) {
    t.equal(kindOfPredicate(newPredicate(kind)), kind)
    t.ok(predicateWords(newPredicate(kind), words).length > 0, kind)
  }
  t.equal(partsOf({ all: [{ hasTag: 'a' }, { hasTag: 'b' }] }).length, 2)
  t.equal(kindOfPredicate(undefined), undefined)
  t.equal(predicateWords({}, words), 'predicate.none')
})

test('a predicate in words has brackets where they are needed', async (t) => {
  const t2 = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
    ({
      'predicate.and': 'and',
      'predicate.or': 'or',
      'predicate.hasTag.words': `#${values['name']}`
    })[key] ?? key
  const tags = (...names: string[]) => names.map((hasTag) => ({ hasTag }))
  t.equal(predicateWords({ all: tags('a', 'b') }, { ...words, t: t2 }), '#a and #b')
  t.equal(
    predicateWords({ all: [...tags('a'), { any: tags('b', 'c') }] }, { ...words, t: t2 }),
    '#a and (#b or #c)'
  )
})

test('a predicate names a template as people know it', async (t) => {
  const t2 = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
    `${key} ${values['template'] ?? ''}`.trim()
  const templateName = (slug: string) => (slug === 'welcome' ? 'Welcome mail' : slug)
  const words = predicateWords({ hasOpened: { templateSlug: 'welcome' } }, { t: t2, templateName })
  t.equal(words, 'predicate.hasOpened.words Welcome mail')
})

test('a card says each status of a subscription in words', async (t) => {
  const [field] = LEAVES['subscriptionStatus'] ?? []
  const statuses = field?.options ?? []
  t.equal(statuses.length, 5)
  for (const texts of [english, german] as readonly Readonly<Record<string, unknown>>[]) {
    const t2 = (key: string, { name = '' }: Readonly<Record<string, string | number>> = {}) =>
      key === 'predicate.subscriptionStatus.words' ? String(name) : String(texts[key] ?? key)
    for (const subscriptionStatus of statuses) {
      const said = predicateWords({ subscriptionStatus }, { ...words, t: t2 })
      t.notMatch(said, /[._]/, subscriptionStatus)
      t.not(said, '')
    }
  }
})

test('a value is put in and taken out by its path, and an empty delivery window goes', async (t) => {
  const step = { type: 'send', templateSlug: 'a' }
  const timed = withField(step, 'delivery.timeOfDay', '09:00')
  t.same(timed, { ...step, delivery: { timeOfDay: '09:00' } })
  t.same(withField(timed, 'delivery.timeOfDay', undefined), step)
  t.same(withField({ hasOpened: { templateSlug: 'a' } }, 'hasOpened.templateSlug', undefined), {
    hasOpened: {}
  })
})

test('a JSON value that is typed as it is shown stays the same', async () => {
  const field: Field = { path: 'value', kind: 'value' }
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ minLength: 1 }).filter((text) => text.trim() === text),
        fc.integer(),
        fc.boolean(),
        fc.constant(null)
      ),
      (value) => readText(field, textOf(field, value)).value === value
    )
  )
})

test('what was typed is read by the kind of the field', async (t) => {
  t.same(readText({ path: 'a', kind: 'list' }, 'a, b,, a '), { value: ['a', 'b'] })
  t.same(readText({ path: 'a', kind: 'number' }, '3'), { value: 3 })
  t.same(readText({ path: 'a', kind: 'number' }, 'x'), { problem: 'field.notNumber' })
  t.same(readText({ path: 'a', kind: 'json' }, '[1]'), { problem: 'field.notObject' })
  t.same(readText({ path: 'a', kind: 'json' }, '{"b": 1}'), { value: { b: 1 } })
  t.same(readText({ path: 'a', kind: 'text', optional: true }, ' '), {})
  t.same(readText({ path: 'a', kind: 'template' }, ''), { value: '' })
})

test('an unfinished draft is shown with the lists that are missing', async (t) => {
  t.same(stepsOfDraft(undefined), [])
  t.same(
    stepsOfDraft([null, { type: 1 }, { type: 'branch' }, { type: 'split' }, { type: 'odd' }]),
    [{ type: 'branch', ifTrueSteps: [] }, { type: 'split', arms: [] }, { type: 'odd' }]
  )
  for (const step of stepsOfDraft(STEP_TYPES.map((type) => ({ type }))))
    t.ok(stepWords(step, words).note.includes(step.type), step.type)
})

test('two versions differ by the lines of their steps', async (t) => {
  const before = stepLines([{ type: 'send', templateSlug: 'a' }, newStep('branch')], words)
  const after = stepLines(
    [{ type: 'send', templateSlug: 'b' }, newStep('branch'), { type: 'exit' }],
    words
  )
  t.same(
    diffLines(before, after).map(({ kind }) => kind),
    ['removed', 'added', 'same', 'same', 'same', 'added']
  )
})

test('a simulation marks the cards and arms that it went through', async (t) => {
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 23, 10, minute)).toISOString()
  const steps = stepsOfDraft([
    { type: 'branch', test: {}, ifTrueSteps: [{ type: 'exit' }], ifFalseSteps: [] },
    {
      type: 'split',
      arms: [
        { name: 'A', percent: 50 },
        { name: 'B', percent: 50 }
      ]
    },
    { type: 'waitForEvent', eventName: 'e', timeoutSteps: [{ type: 'exit' }] }
  ])
  const stops = stopsOf([
    { at: at(0), stepIndex: 0, branchPath: '', type: 'branch', outcome: 'branch_false' },
    {
      at: at(0),
      stepIndex: 1,
      branchPath: '',
      type: 'split',
      outcome: 'branch_taken',
      detail: { arm: 'B' }
    },
    { at: at(1), stepIndex: 2, branchPath: '', type: 'waitForEvent', outcome: 'waited' },
    { at: at(9), stepIndex: 2, branchPath: 'timeout.0', type: 'exit', outcome: 'exited' }
  ])
  const walked = walkedOf(steps, stops)
  t.same([...walked.cards.keys()], ['0', '1', '2', '2.timeout.0'])
  t.same([...walked.arms], ['0.false', '1.1', '2.timeout'])
  t.same(
    stops.map(({ waited }) => waited / 60_000),
    [0, 0, 1, 8]
  )
})
