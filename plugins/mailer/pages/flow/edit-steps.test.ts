import fc from 'fast-check'
import { test } from 'tap'
import { stepAt, walkSteps } from '../../ledger/flow-paths.ts'
import type { FlowStep } from '../../ledger/flow-steps.ts'
import { changed, newHistory, redone, undone } from '../undo.ts'
import {
  duplicateStep,
  insertStep,
  moveStep,
  moveStepTo,
  removeStep,
  replaceStep
} from './edit-steps.ts'
import { laneOf, nodesOf } from './lane.ts'
import { movedTo } from './move-focus.ts'

const mail = (templateSlug: string): FlowStep => ({ type: 'send', templateSlug })
const branch = (yes: readonly FlowStep[], no?: readonly FlowStep[]): FlowStep => ({
  type: 'branch',
  test: { hasTag: 'a' },
  ifTrueSteps: yes,
  ...(no && { ifFalseSteps: no })
})
const split = (...arms: (readonly FlowStep[])[]): FlowStep => ({
  type: 'split',
  arms: arms.map((steps, at) => ({ name: String.fromCharCode(65 + at), percent: 50, steps }))
})
const awaited = (steps: readonly FlowStep[]): FlowStep => ({
  type: 'waitForEvent',
  eventName: 'e',
  timeout: { value: 1, unit: 'days' },
  timeoutSteps: steps
})
/** Every step by its path, as text. */
const shape = (steps: readonly FlowStep[]) =>
  [...walkSteps(steps)].map(
    ([path, step]) => `${path} ${step.type === 'send' ? step.templateSlug : step.type}`
  )

const FLOW = [mail('a'), branch([mail('b'), mail('c')]), mail('d')]

test('a step that is dragged keeps everything, and is where it was dropped', async (t) => {
  const steps = [
    { type: 'wait', value: 1, unit: 'days' },
    {
      type: 'branch',
      test: { hasTag: 'a' },
      ifTrueSteps: [{ type: 'exit', reason: 'yes' }],
      ifFalseSteps: []
    },
    { type: 'tag', addTags: ['b'] }
  ] as unknown as readonly FlowStep[]
  const typesOf = (all: readonly FlowStep[]) =>
    [...walkSteps(all)].map(([, { type }]) => type).sort()
  const places = ['0', '1', '2', '3', '1.true.0', '1.true.1', '1.false.0']
  for (const from of ['0', '1', '2', '1.true.0'])
    for (const to of places) {
      const moved = moveStepTo(steps, from, to)
      t.same(typesOf(moved.steps), typesOf(steps), `${from} to ${to} keeps all`)
      t.same(stepAt(moved.steps, moved.path), stepAt(steps, from), `${from} to ${to}`)
    }
  t.equal(moveStepTo(steps, '1', '1.true.0').steps, steps, 'not into itself')
  t.equal(moveStepTo(steps, '0', '1').steps, steps, 'not where it is')
  t.equal(moveStepTo(steps, '0', '3').path, '2')
  t.equal(moveStepTo(steps, '0', '1.false.0').path, '0.false.0')
})

test('a step is inserted into a list, an arm and an arm that was empty', async (t) => {
  t.same(shape(insertStep(FLOW, '1', mail('x')).steps)[1], '1 x')
  t.ok(shape(insertStep(FLOW, '1.true.1', mail('x')).steps).includes('1.true.1 x'))
  t.ok(shape(insertStep(FLOW, '1.false.0', mail('x')).steps).includes('1.false.0 x'))
  t.ok(shape(insertStep([awaited([])], '0.timeout.0', mail('x')).steps).includes('0.timeout.0 x'))
  t.ok(shape(insertStep([split([], [])], '0.1.0', mail('x')).steps).includes('0.1.0 x'))
})

test('an insert into an arm that does not exist changes nothing', async (t) => {
  t.same(insertStep(FLOW, '0.true.0', mail('x')).steps, FLOW)
})

test('removing a step selects what comes after it, else the step before, else the owner', async (t) => {
  t.equal(removeStep(FLOW, '0').path, '0')
  t.equal(removeStep(FLOW, '2').path, '1')
  t.equal(removeStep([branch([mail('b')])], '0.true.0').path, '0')
  t.equal(removeStep([mail('a')], '0').path, '0')
})

test('a step moves in its list, and out of its arm at both ends', async (t) => {
  t.same(moveStep(FLOW, '1.true.0', 1).path, '1.true.1')
  const up = moveStep(FLOW, '1.true.0', -1)
  t.equal(up.path, '1')
  t.same(shape(up.steps), ['0 a', '1 b', '2 branch', '2.true.0 c', '3 d'])
  const down = moveStep(FLOW, '1.true.1', 1)
  t.equal(down.path, '2')
  t.same(shape(down.steps), ['0 a', '1 branch', '1.true.0 b', '2 c', '3 d'])
  t.same(moveStep(FLOW, '0', -1), { steps: FLOW, path: '0' })
  t.same(moveStep(FLOW, '2', 1), { steps: FLOW, path: '2' })
})

test('a copy of a step has its own arms', async (t) => {
  const { steps, path } = duplicateStep(FLOW, '1')
  t.equal(path, '2')
  t.same(stepAt(steps, '2'), FLOW[1])
  t.not(stepAt(steps, '2'), FLOW[1])
})

test('a step is replaced where it is', async (t) => {
  t.ok(shape(replaceStep(FLOW, '1.true.1', mail('x')).steps).includes('1.true.1 x'))
})

const tree = fc.letrec<{ list: FlowStep[]; step: FlowStep }>((tie) => ({
  list: fc.array(tie('step'), { maxLength: 3, depthIdentifier: 'steps' }),
  step: fc.oneof(
    { depthSize: 'small', maxDepth: 3, depthIdentifier: 'steps' },
    fc.constantFrom(mail('a'), mail('b')),
    fc.tuple(tie('list'), tie('list')).map(([yes, no]) => branch(yes, no)),
    tie('list').map(awaited),
    fc.tuple(tie('list'), tie('list')).map(([one, two]) => split(one, two))
  )
})).list

test('a move keeps every step, and ends where it says', async () => {
  fc.assert(
    fc.property(tree, fc.nat(), fc.constantFrom(-1 as const, 1 as const), (steps, pick, by) => {
      const all = [...walkSteps(steps)]
      const found = all[pick % Math.max(all.length, 1)]
      if (found === undefined) return true
      const moved = moveStep(steps, found[0], by)
      return (
        [...walkSteps(moved.steps)].length === all.length &&
        JSON.stringify(stepAt(moved.steps, moved.path)) === JSON.stringify(found[1])
      )
    })
  )
})

test('down from the start reaches a place of every line, and up leads back to the start', async () => {
  fc.assert(
    fc.property(tree, (steps) => {
      for (const key of ['ArrowDown', 'ArrowUp'] as const) {
        let at = movedTo(steps, '0', key === 'ArrowDown' ? 'Home' : 'End')
        for (let moves = 0; at !== undefined; moves++) {
          if (moves > 500) return false
          at = movedTo(steps, at, key)
        }
      }
      return true
    })
  )
})

test('arrows move along the lines and between arms', async (t) => {
  const steps = [mail('a'), branch([mail('b'), mail('c')], [mail('d')]), mail('e')]
  t.equal(movedTo(steps, '0', 'ArrowDown'), '1')
  t.equal(movedTo(steps, '1', 'ArrowDown'), '1.true.0')
  t.equal(movedTo(steps, '1.true.1', 'ArrowRight'), '1.false.0')
  t.equal(movedTo(steps, '1.false.0', 'ArrowLeft'), '1.true.0')
  t.equal(movedTo(steps, '1.false.0', 'ArrowRight'), undefined)
  t.equal(movedTo(steps, '1.true.1', 'ArrowDown'), '2')
  t.equal(movedTo(steps, '2', 'ArrowUp'), '1.true.1')
  t.equal(movedTo(steps, '1.true.0', 'ArrowUp'), '1')
  t.equal(movedTo(steps, '0', 'ArrowUp'), undefined)
  t.equal(movedTo(steps, '0', 'End'), '2')
  t.equal(movedTo(steps, '0', 'x'), undefined)
})

test('an empty arm has one place', async (t) => {
  const steps = [branch([]), mail('e')]
  t.equal(movedTo(steps, '0', 'ArrowDown'), '0.true.0')
  t.equal(movedTo(steps, '0.true.0', 'ArrowRight'), '0.false.0')
  t.equal(movedTo(steps, '0.false.0', 'ArrowDown'), '1')
  t.equal(movedTo(steps, '1', 'ArrowUp'), '0.true.0')
})

test('a lane numbers all steps in the order of reading, and names each arm', async (t) => {
  const lane = laneOf([branch([mail('b')]), awaited([mail('c')]), split([], [mail('d')])])
  t.same(
    [...nodesOf(lane)].map(({ path, number }) => `${number} ${path}`),
    ['1 0', '2 0.true.0', '3 1', '4 1.timeout.0', '5 2', '6 2.1.0']
  )
  t.same(
    lane.map(({ arms }) => arms.map(({ kind, list, name }) => [kind, list, name])),
    [
      [
        ['yes', '0.true', undefined],
        ['no', '0.false', undefined]
      ],
      [
        ['happened', undefined, undefined],
        ['timeout', '1.timeout', undefined]
      ],
      [
        ['split', '2.0', 'A'],
        ['split', '2.1', 'B']
      ]
    ]
  )
})

test('undo takes back change by change, typing as one, and redo makes it again', async (t) => {
  let history = newHistory(0)
  history = changed(history, 1)
  history = changed(history, 2, 'name')
  history = changed(history, 3, 'name')
  t.equal(undone(history).present, 1)
  t.equal(undone(undone(history)).present, 0)
  t.equal(undone(undone(undone(history))).present, 0)
  t.equal(redone(undone(history)).present, 3)
  t.equal(redone(history), history)
  t.same(changed(undone(history), 9).future, [], 'a new change ends what could be redone')
})
