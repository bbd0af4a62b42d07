// The filters of a segment as a form edits them.
import { test } from 'tap'
import { leafSchemas } from '../../audience/segments/segment-schema.ts'
import {
  emptyFilter,
  FIELDS,
  filtersOf,
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
    for (const [name] of FIELDS[kind] ?? []) t.ok(properties.includes(name), `${kind}.${name}`)
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

test('filters that the form does not know stay as they are', async (t) => {
  const any = { kind: 'any', filters: [{ kind: 'hasTag', tag: 'a' }] } as const
  t.notOk(isEditable(any))
  t.same(filtersOf({ filters: [any] }), [any])
  t.same(filtersOf('broken'), [])
})
