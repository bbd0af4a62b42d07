// Where runs go next inside nested lists of steps.
import { test } from 'tap'
import { pathAfter, pathInto, stepAt, stepsFrom, templatesOf, walkSteps } from './flow-paths.ts'
import type { FlowStep } from './flow-steps.ts'

const send = (templateSlug: string): FlowStep => ({ type: 'send', templateSlug })
const branch = (ifTrueSteps: FlowStep[], ifFalseSteps?: FlowStep[]): FlowStep => ({
  type: 'branch',
  test: { hasTag: 'x' },
  ifTrueSteps,
  ...(ifFalseSteps && { ifFalseSteps })
})
const steps = [send('a'), branch([send('b'), branch([send('c')])], [send('d')]), send('e')]

test('every step is found under the path that reading gives it', async (t) => {
  const seen = [...walkSteps(steps)]
  t.same(
    seen.map(([path]) => path),
    ['0', '1', '1.true.0', '1.true.1', '1.true.1.true.0', '1.false.0', '2']
  )
  for (const [path, step] of seen) t.equal(stepAt(steps, path), step)
})

test('the end of an arm leads behind its step, through several arms at once', async (t) => {
  t.equal(pathAfter(steps, '1.true.1.true.0'), '2')
  t.equal(pathAfter(steps, '1.false.0'), '2')
  t.equal(pathAfter(steps, '2'), undefined)
})

test('an arm without steps leads behind its step', async (t) => {
  t.equal(pathInto([branch([]), send('e')], '0', 'false'), '1')
  t.equal(pathInto([branch([])], '0', 'true'), undefined)
})

test('skipping two steps never skips one behind the arm', async (t) => {
  const inner = [branch([send('a'), send('b')]), send('c'), send('d')]
  t.equal(pathAfter(inner, '0.true.1', 2), '1')
  t.equal(pathAfter(inner, '0.true.0', 2), '1')
  t.equal(pathAfter(inner, '0', 2), '2')
})

test('ahead of a path are its own step, the rest of each list around it, and no other arm', async (t) => {
  const ahead = (path: string) => templatesOf(stepsFrom(steps, path)).join('')
  t.equal(ahead('0'), 'abcde')
  t.equal(ahead('1'), 'bcde')
  t.equal(ahead('1.true.0'), 'bce')
  t.equal(ahead('1.true.1.true.0'), 'ce')
  t.equal(ahead('1.false.0'), 'de')
  t.equal(ahead('2'), 'e')
  t.equal(ahead('9'), '')
})

test('a path that leads nowhere has no step', async (t) => {
  for (const path of ['9', '0.true.0', '1.true', '1.maybe.0', '', 'x'])
    t.equal(stepAt(steps, path), undefined, path)
})
