// What the consent page concludes from the answer of the API. Pure.
import type { ConsentView } from '../../consent/consent-schema.ts'

export type ConsentScope = ConsentView['scopes'][number]

/** Why there is nothing to decide. */
export type Obstacle = 'signedOut' | 'foreign' | 'over'

/** What an error of the API means; undefined for trouble on the way, after which one tries again. */
export function obstacleOf(error: unknown): Obstacle | undefined {
  switch ((error as { status?: unknown } | null)?.status) {
    case 401:
      return 'signedOut'
    case 403:
      return 'foreign'
    case 404:
      return 'over'
    default:
      return undefined
  }
}

/** Identity itself: without it a sign-in is none. */
export const isFixed = ({ id }: Pick<ConsentScope, 'id'>): boolean => id === 'openid'

/** Asks for access while the person is away; the page has its own control for that. */
export const OFFLINE = 'offline_access'

/** Whether access is kept while the person is away: as they chose, else as the client asked. */
export const keepsAccess = (
  { offline }: Pick<ConsentView, 'offline'>,
  chosen: boolean | undefined
): boolean => chosen ?? offline.isRequested

/** The scopes that are given: all but those that were taken out. */
export const givenScopes = (
  scopes: readonly ConsentScope[],
  without: ReadonlySet<string>
): readonly string[] =>
  scopes.filter((scope) => isFixed(scope) || !without.has(scope.id)).map(({ id }) => id)

/** Whether more is asked for on top of what was granted before: the person just asked the client for it. */
const isStepUp = (scopes: readonly ConsentScope[]): boolean =>
  scopes.some(({ isNew, id }) => !isNew && id !== OFFLINE && !isFixed({ id }))

/** Which scopes are marked: in a step-up the new ones, else the fewer of new ones and earlier ones. */
export function marksOf(scopes: readonly ConsentScope[]): 'new' | 'before' | 'none' {
  const news = scopes.filter(({ isNew }) => isNew).length
  const before = scopes.length - news
  if (news === 0 || before === 0) return 'none'
  return news <= before || isStepUp(scopes) ? 'new' : 'before'
}

/** Scopes that are not ticked at first: of a first consent the sensitive ones, unless nothing else is asked for. */
export function untickedOf(scopes: readonly ConsentScope[]): ReadonlySet<string> {
  const isChosen = ({ sensitive, isNew }: ConsentScope) => sensitive === true && isNew
  const others = scopes.filter((scope) => !isChosen(scope) && scope.id !== OFFLINE)
  if (others.length === 0 || isStepUp(scopes)) return new Set()
  return new Set(scopes.filter(isChosen).map(({ id }) => id))
}

/** The names of what the client asks for and does not get. */
export const leftOut = (
  scopes: readonly ConsentScope[],
  without: ReadonlySet<string>
): readonly string[] =>
  scopes
    .filter((scope) => scope.id !== OFFLINE && !isFixed(scope) && without.has(scope.id))
    .map(({ label }) => label)

/** The context in force: the chosen one, or the only one there is. */
export function contextOf(
  { contexts }: Pick<ConsentView, 'contexts'>,
  chosen: string
): string | undefined {
  if (contexts === undefined) return undefined
  if (contexts.some(({ id }) => id === chosen)) return chosen
  return contexts.length === 1 ? contexts[0]?.id : undefined
}

/** The body of the approval; undefined while something is missing. */
export function approvalOf(answer: ConsentView, choice: Choice): object | undefined {
  const offline = keepsAccess(answer, choice.offline)
  const given = givenScopes(answer.scopes, choice.without).filter((id) => id !== OFFLINE)
  const scopes = offline && answer.offline.isRequested ? [...given, OFFLINE] : given
  const contextId = contextOf(answer, choice.context)
  if (given.length === 0) return undefined
  if (answer.contexts !== undefined && contextId === undefined) return undefined
  return { approve: true, scopes, offline, ...(contextId !== undefined && { contextId }) }
}

/** What the person chose on the page. */
export interface Choice {
  /** Scopes that were taken out. */
  readonly without: ReadonlySet<string>
  /** Undefined: as the client asked. */
  readonly offline: boolean | undefined
  /** Empty: none. */
  readonly context: string
}

/** Addresses that run in this page instead of leading away from it. */
const RUNS_HERE = new Set(['javascript:', 'data:', 'blob:', 'vbscript:', 'filesystem:'])

/** Whether an address may be followed. The server has checked it; this costs nothing. */
export function mayFollow(address: string, base: string): boolean {
  return URL.canParse(address, base) && !RUNS_HERE.has(new URL(address, base).protocol)
}

/** Whether following an address leaves this page standing, because an app takes it. */
export function staysHere(address: string, base: string): boolean {
  const { protocol } = new URL(address, base)
  return protocol !== 'https:' && protocol !== 'http:'
}
