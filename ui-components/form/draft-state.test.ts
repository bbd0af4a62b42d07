// What a draft decides, against a server that other editors change too.
import fc from 'fast-check'
import { test } from 'tap'
import {
  canSend,
  changed,
  type DraftState,
  editedFields,
  isUnsaved,
  keptMine,
  opened,
  readAgain,
  refused,
  saved,
  sending,
  shownPhase
} from './draft-state.ts'

interface Fields {
  readonly a: string
  readonly b: string
}

const EMPTY: Fields = { a: '', b: '' }
const open = () => opened(EMPTY, 1)

/** A page with its draft, and a server: `arrive` is when a save that was sent gets there. */
class World {
  state: DraftState<Fields> = opened(EMPTY, 1)
  server = { fields: EMPTY, revision: 1 }
  /** What another editor saved that this page has never shown or replaced on purpose. */
  theirs: Partial<Fields> = {}
  /** What was typed last, by field. */
  typed: Partial<Fields> = {}
  /** Whether a save ever replaced what another editor saved without being told to. */
  hasOverwritten = false

  type(name: keyof Fields, value: string, isHeld: boolean): void {
    this.typed = { ...this.typed, [name]: value }
    this.state = changed(this.state, { [name]: value }, isHeld)
  }

  send(): void {
    if (canSend(this.state)) this.state = sending(this.state)
  }

  arrive(isLost: boolean): void {
    const { phase, sent, revision } = this.state
    if (phase !== 'saving') return
    if (isLost) this.state = refused(this.state, new Error('offline'), false)
    else if (revision !== this.server.revision)
      this.state = refused(this.state, new Error('conflict'), true)
    else {
      if (Object.keys(sent).some((name) => name in this.theirs)) this.hasOverwritten = true
      this.server = { fields: { ...this.server.fields, ...sent }, revision: revision + 1 }
      this.state = saved(this.state, this.server.revision)
    }
  }

  otherSaves(name: keyof Fields, value: string): void {
    const { fields, revision } = this.server
    this.server = { fields: { ...fields, [name]: value }, revision: revision + 1 }
    this.theirs = { ...this.theirs, [name]: value }
  }

  read(): void {
    this.state = readAgain(this.state, this.server.fields, this.server.revision)
    if (!isUnsaved(this.state)) this.#seen()
  }

  decide(isMine: boolean): void {
    if (this.state.phase !== 'conflict') return
    const { fields, revision } = this.server
    this.state = isMine ? keptMine(this.state, fields, revision) : opened(fields, revision)
    if (!isMine) this.typed = {}
    this.theirs = {}
  }

  #seen(): void {
    this.theirs = {}
    this.typed = {}
  }
}

const name = fc.constantFrom<keyof Fields>('a', 'b')
const step = fc.oneof(
  fc.tuple(fc.constant('type' as const), name, fc.string({ maxLength: 2 }), fc.boolean()),
  fc.tuple(fc.constant('other' as const), name, fc.string({ maxLength: 2 })),
  fc.tuple(fc.constantFrom('send' as const, 'read' as const)),
  fc.tuple(fc.constantFrom('arrive' as const, 'decide' as const), fc.boolean())
)

function run(world: World, [act, ...given]: typeof step extends fc.Arbitrary<infer T> ? T : never) {
  if (act === 'type') world.type(...(given as [keyof Fields, string, boolean]))
  else if (act === 'other') world.otherSaves(...(given as [keyof Fields, string]))
  else if (act === 'send') world.send()
  else if (act === 'read') world.read()
  else if (act === 'arrive') world.arrive(given[0] as boolean)
  else world.decide(given[0] as boolean)
}

test('whatever happens, what was typed is shown, and counts as unsaved until it is there', async (t) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const world = new World()
      for (const one of steps) {
        run(world, one)
        const shown = editedFields(world.state)
        const isShown = Object.entries(world.typed).every(
          ([field, value]) => shown[field as keyof Fields] === value
        )
        const { fields, revision } = world.server
        const isThere = Object.entries(world.typed).every(
          ([field, value]) => fields[field as keyof Fields] === value
        )
        const isBehind = revision !== world.state.revision
        if (!isShown || !(isThere || isUnsaved(world.state) || isBehind)) return false
      }
      return true
    })
  )
  t.pass()
})

test('what another editor saved is replaced only once the viewer has decided so', async (t) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const world = new World()
      for (const one of steps) run(world, one)
      return !world.hasOverwritten
    })
  )
  t.pass()
})

test('a change while a save is on its way is sent after it, for the next revision', async (t) => {
  const first = sending(changed(open(), { a: '1' }))
  const during = changed(first, { b: '2' })
  t.equal(canSend(during), false, 'one save at a time')
  const after = saved(during, 2)
  t.match(after, { phase: 'waiting', revision: 2, changes: { b: '2' }, base: { a: '1' } })
  t.same(saved(sending(after), 3), opened({ a: '1', b: '2' }, 3))
})

test('a save that failed is sent again with what was typed since', async (t) => {
  const failed = refused(sending(changed(open(), { a: '1', b: '1' })), new Error('offline'), false)
  const typed = changed(failed, { a: '2' })
  t.equal(shownPhase(failed), 'failed')
  t.same(sending(typed).sent, { a: '2', b: '1' })
})

test('held changes are shown and not sent, until they are complete or taken back', async (t) => {
  const held = changed(open(), { a: 'half' }, true)
  t.equal(canSend(held), false)
  t.equal(shownPhase(held), 'waiting')
  t.equal(editedFields(held).a, 'half')
  t.same(sending(changed(held, { b: '1' })).sent, { b: '1' })
  t.same(sending(changed(held, { a: 'whole' })).sent, { a: 'whole' })
  t.equal(isUnsaved(changed(held, { a: undefined as never }, true)), false)
})

test('while edits are not saved, another read changes neither them nor their revision', async (t) => {
  const edited = changed(open(), { a: 'mine' })
  t.equal(readAgain(edited, { a: 'theirs', b: '' }, 7), edited)
  t.same(readAgain(open(), { a: 'theirs', b: '' }, 7), opened({ a: 'theirs', b: '' }, 7))
})
