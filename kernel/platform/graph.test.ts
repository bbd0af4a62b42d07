// The order of plugins.
import fc from 'fast-check'
import { test } from 'tap'
import { findCycle, layersOf, type Needs } from './graph.ts'

const node = (id: string, hard: readonly string[] = [], soft: readonly string[] = []): Needs => ({
  id,
  hard,
  soft
})

test('a circle is found as a path', async (t) => {
  t.same(findCycle([node('x', ['a']), node('a', ['b']), node('b', ['c']), node('c', ['a'])]), [
    'a',
    'b',
    'c',
    'a'
  ])
  t.same(findCycle([node('a', ['a'])]), ['a', 'a'])
})

test('missing dependencies and diamonds do not make a circle', async (t) => {
  t.equal(
    findCycle([node('a', ['ghost', 'b', 'c']), node('b', ['d']), node('c', ['d']), node('d')]),
    undefined
  )
})

test('each plugin is in the first layer after what it needs', async (t) => {
  t.same(
    layersOf([node('three', ['one']), node('one'), node('two'), node('four', ['three', 'ghost'])]),
    [['one', 'two'], ['three'], ['four']]
  )
  t.same(layersOf([]), [])
})

test('a soft need is kept unless it closes a circle', async (t) => {
  t.same(layersOf([node('user', [], ['provider']), node('provider')]), [['provider'], ['user']])
  t.same(layersOf([node('a', [], ['b']), node('b', ['a'])]), [['a'], ['b']])
  t.same(layersOf([node('a', [], ['b']), node('b', [], ['c']), node('c', [], ['a'])]), [
    ['c'],
    ['b'],
    ['a']
  ])
})

test('hard needs always come first, whatever the soft ones say', async () => {
  const graphs = fc.array(
    fc.record({
      hard: fc.array(fc.nat(9), { maxLength: 3 }),
      soft: fc.array(fc.nat(9), { maxLength: 3 })
    }),
    { minLength: 1, maxLength: 10 }
  )
  fc.assert(
    fc.property(graphs, (drawn) => {
      const nodes = drawn.map(({ hard, soft }, at) =>
        node(String(at), hard.filter((id) => id < at).map(String), soft.map(String))
      )
      const layerAt = new Map(
        layersOf(nodes).flatMap((layer, at) => layer.map((id) => [id, at] as const))
      )
      return nodes.every(({ id, hard }) =>
        hard.every((needed) => (layerAt.get(needed) ?? 99) < (layerAt.get(id) ?? -1))
      )
    })
  )
})
