// What a draft decides: what is sent, what stays, when a save may overwrite. Pure.

/** Where saving is. */
export type DraftPhase = 'saved' | 'waiting' | 'saving' | 'failed' | 'conflict'

/** A draft between what the server has and what was typed. */
export interface DraftState<Fields extends object> {
  readonly phase: DraftPhase
  /** What the server has, as far as this page knows. */
  readonly base: Fields
  /** The revision that `base` has. */
  readonly revision: number | undefined
  /** Changes that are sent next. */
  readonly changes: Partial<Fields>
  /** Changes that cannot be sent yet, such as a filter without a value. */
  readonly held: Partial<Fields>
  /** Changes that are on their way. */
  readonly sent: Partial<Fields>
  /** Why the last save failed. */
  readonly error: unknown
}

const isEmpty = (fields: object): boolean => Object.keys(fields).length === 0

/** Fields without those that another set names. */
function without<Fields extends object>(
  fields: Partial<Fields>,
  named: Partial<Fields>
): Partial<Fields> {
  const entries = Object.entries(fields).filter(([name]) => !(name in named))
  return Object.fromEntries(entries) as Partial<Fields>
}

/** A draft as the server has it. */
export const opened = <Fields extends object>(
  base: Fields,
  revision: number | undefined
): DraftState<Fields> => ({
  phase: 'saved',
  base,
  revision,
  changes: {},
  held: {},
  sent: {},
  error: undefined
})

/** The fields as they are edited. */
export const editedFields = <Fields extends object>(state: DraftState<Fields>): Fields => ({
  ...state.base,
  ...state.sent,
  ...state.changes,
  ...state.held
})

/** Whether leaving the page now would lose something. */
export const isUnsaved = ({ phase, held }: DraftState<object>): boolean =>
  phase !== 'saved' || !isEmpty(held)

/** What the reader is shown of saving. */
export const shownPhase = (state: DraftState<object>): DraftPhase =>
  state.phase === 'saved' && isUnsaved(state) ? 'waiting' : state.phase

/** Fields were edited. Held ones are not sent until they are edited again without it; undefined takes one back. */
export function changed<Fields extends object>(
  state: DraftState<Fields>,
  fields: Partial<Fields>,
  isHeld = false
): DraftState<Fields> {
  const held = without(state.held, fields)
  if (isHeld) {
    const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
    const kept = { ...held, ...Object.fromEntries(entries) } as Partial<Fields>
    return settled({ ...state, held: kept, changes: without(state.changes, fields) })
  }
  const changes = { ...state.changes, ...fields }
  const isGoingOn = state.phase === 'conflict' || state.phase === 'saving'
  return { ...state, held, changes, phase: isGoingOn ? state.phase : 'waiting' }
}

/** Nothing waits any more once the only change is held. */
const settled = <Fields extends object>(state: DraftState<Fields>): DraftState<Fields> =>
  state.phase === 'waiting' && isEmpty(state.changes) ? { ...state, phase: 'saved' } : state

/** The server was read again. Edits that are not saved keep the revision that they were made on. */
export const readAgain = <Fields extends object>(
  state: DraftState<Fields>,
  base: Fields,
  revision: number | undefined
): DraftState<Fields> => (isUnsaved(state) ? state : opened(base, revision))

/** Whether there is something to send, and nothing is on its way. */
export const canSend = ({ phase, changes }: DraftState<object>): boolean =>
  (phase === 'waiting' || phase === 'failed') && !isEmpty(changes)

/** A save begins. */
export const sending = <Fields extends object>(state: DraftState<Fields>): DraftState<Fields> => ({
  ...state,
  phase: 'saving',
  sent: state.changes,
  changes: {}
})

/** A save went through. `fields`: what the server has now, where it says so. */
export function saved<Fields extends object>(
  state: DraftState<Fields>,
  revision: number | undefined,
  fields: Fields = { ...state.base, ...state.sent }
): DraftState<Fields> {
  const phase = isEmpty(state.changes) ? 'saved' : 'waiting'
  return { ...state, phase, base: fields, revision, sent: {}, error: undefined }
}

/** A save was refused, or did not arrive: all of it is kept. */
export const refused = <Fields extends object>(
  state: DraftState<Fields>,
  error: unknown,
  isConflict: boolean
): DraftState<Fields> => ({
  ...state,
  phase: isConflict ? 'conflict' : 'failed',
  changes: { ...state.sent, ...state.changes },
  sent: {},
  error
})

/** The viewer has seen that another editor saved, and keeps these edits: they may replace that revision. */
export const keptMine = <Fields extends object>(
  state: DraftState<Fields>,
  base: Fields,
  revision: number | undefined
): DraftState<Fields> => ({ ...state, phase: 'waiting', base, revision, error: undefined })
