// The filters of a segment as a form edits them.
import { test } from 'tap'
import { leafSchemas } from '../../audience/segments/segment-schema.ts'
import {
  emptyFilter,
  FIELDS,
  filtersOf,
  grouped,
  groupOf,
  isComplete,
  isEditable,
  KINDS,
  withField
} from './segment.ts'

test('every kind of the form is a kind of segments, with its fields', async (t) => {
  for (const kind of KINDS) {
    const properties = Object.keys(
      (leafSchemas.get(kind) as { properties?: object })?.properties ?? {}
    )
    for (const [name] of FIELDS[kind] ?? [])
      t.ok(properties.includes(name.split('.')[0] ?? ''), `${kind}.${name}`)
  }
})

test('a new filter must be filled before it counts', async (t) => {
  const tag = emptyFilter('hasTag')
  t.same(tag, { kind: 'hasTag', tag: '' })
  t.notOk(isComplete([tag]))
  t.ok(isComplete([withField(tag, 'tag', 'beta')]))
  t.ok(isComplete([emptyFilter('subscriptionStatus')]))
})

test('days are a whole number or left out', async (t) => {
  const opened = withField(emptyFilter('opened'), 'withinDays', '30')
  t.same(opened, { kind: 'opened', withinDays: 30 })
  t.same(withField(opened, 'withinDays', ''), { kind: 'opened' })
  t.notOk(isComplete([withField(opened, 'withinDays', '1.5')]))
})

test('a comparison takes a number or a date', async (t) => {
  const age = withField(emptyFilter('fieldCompare'), 'field', 'age')
  t.same(withField(age, 'value', '30'), {
    kind: 'fieldCompare',
    field: 'age',
    operator: 'gt',
    value: 30
  })
  t.ok(isComplete([withField(age, 'value', '2026-03-01')]))
  t.notOk(isComplete([withField(age, 'value', 'old')]))
  t.notOk(isComplete([age]))
})

test('a date is looked for in the past or in the days to come', async (t) => {
  const trial = withField(emptyFilter('fieldWithinDays'), 'field', 'trialEnds')
  t.match(trial, { direction: 'past' })
  const next = withField(withField(trial, 'direction', 'future'), 'days', '7')
  t.same(next, { kind: 'fieldWithinDays', field: 'trialEnds', direction: 'future', days: 7 })
  t.ok(isComplete([next]))
  t.ok(isComplete([{ kind: 'fieldWithinDays', field: 'trialEnds', days: 7 }]), 'as stored before')
})

test('a property of an event comes with its name, and goes with it', async (t) => {
  const order = withField(emptyFilter('firedEvent'), 'eventName', 'order')
  t.ok(isComplete([order]))
  const named = withField(order, 'property.name', 'total')
  t.match(named, { property: { name: 'total', operator: 'equals', value: '' } })
  t.notOk(isComplete([named]))
  const over = withField(withField(named, 'property.operator', 'gt'), 'property.value', '100')
  t.match(over, { property: { name: 'total', operator: 'gt', value: 100 } })
  t.ok(isComplete([over]))
  t.notOk(isComplete([withField(over, 'property.value', 'much')]))
  t.match(withField(named, 'property.value', 'true'), { property: { value: true } })
  t.same(withField(over, 'property.name', ''), { kind: 'firedEvent', eventName: 'order' })
})

test('a template or broadcast of a mail may stay open', async (t) => {
  const clicked = withField(emptyFilter('clicked'), 'broadcastSlug', 'may')
  t.same(clicked, { kind: 'clicked', broadcastSlug: 'may' })
  t.same(withField(clicked, 'broadcastSlug', ''), { kind: 'clicked' })
  t.ok(isComplete([emptyFilter('notClicked')]))
  t.notOk(isComplete([emptyFilter('fieldWithinDays')]))
})

test('filters of which one is enough are one filter of the definition', async (t) => {
  const two = [emptyFilter('opened'), emptyFilter('clicked')]
  const any = grouped('any', two)
  t.same(any, [{ kind: 'any', filters: two }])
  t.same(groupOf(any), { match: 'any', filters: two })
  t.same(groupOf(grouped('all', two)), { match: 'all', filters: two })
  t.same(grouped('any', []), [])
  t.notOk(isComplete(grouped('any', [emptyFilter('hasTag')])))
})

test('filters that the form does not know stay as they are', async (t) => {
  const any = { kind: 'any', filters: [{ kind: 'hasTag', tag: 'a' }] } as const
  t.notOk(isEditable(any))
  t.same(filtersOf({ filters: [any] }), [any])
  t.same(filtersOf('broken'), [])
})
