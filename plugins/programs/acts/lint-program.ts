// What is wrong with a program, found before it is published. Pure.
import { type Said, type Sentence, schemaFault } from '@keelson/sdk'
import { isTimeZone } from '@keelson/sdk/zoned-time'
import { leavesOf } from '../looks/conditions.ts'
import { SESSION_FACT } from '../looks/plan-look.ts'
import {
  type ProgramAction,
  type ProgramDefinition,
  programDefinition
} from '../storage/definition.ts'
import { say } from './lint-sentences.ts'

/** A finding. Errors keep a program from being published. */
export interface ProgramIssue {
  readonly severity: 'error' | 'warning'
  /** As `actions.invite.requires`. */
  readonly path: string
  readonly message: string
  /** The message by its code, for pages in other languages. */
  readonly said: Said
}

/** The type of a fact, as the host declares it. */
export type FactType = 'text' | 'number' | 'boolean' | 'time'

/** What a definition is checked against. */
export interface LintKnowledge {
  /** Slugs of published templates. */
  readonly templates: ReadonlySet<string>
  /** Facts of the host; left out when it does not declare them. */
  readonly facts?: Readonly<Record<string, FactType>> | undefined
}

const error = (path: string, sentence: Sentence): ProgramIssue => ({
  severity: 'error',
  path,
  ...sentence
})
const warning = (path: string, sentence: Sentence): ProgramIssue => ({
  severity: 'warning',
  path,
  ...sentence
})

const IS_TYPE = {
  text: 'program.lint.isText',
  number: 'program.lint.isNumber',
  boolean: 'program.lint.isBoolean',
  time: 'program.lint.isTime'
} as const

function faultSentence({ path, problem }: { readonly path: string; readonly problem: string }) {
  return path === ''
    ? say('program.lint.schemaWhole', { problem })
    : say('program.lint.schema', { path, problem })
}

/** Every issue of `definition`, an unknown value. */
export function lintProgram(definition: unknown, known: LintKnowledge): readonly ProgramIssue[] {
  const fault = schemaFault(programDefinition, definition)
  if (fault !== undefined) return [error(fault.path, faultSentence(fault))]
  const program = definition as ProgramDefinition
  const ids = program.actions.map(({ id }) => id)
  return [
    ...program.actions.flatMap((action, at) => [
      ...(ids.indexOf(action.id) === at
        ? []
        : [error(`actions.${action.id}`, say('program.lint.idTwice'))]),
      ...actionIssues(action, ids, known)
    ]),
    ...cycleIssues(program.actions),
    ...policyIssues(program, known)
  ]
}

function actionIssues(
  { id, templateSlug, requires = [], eligible, satisfied }: ProgramAction,
  ids: readonly string[],
  { templates, facts }: LintKnowledge
): readonly ProgramIssue[] {
  const path = `actions.${id}`
  const named = [...leavesOf(satisfied), ...(eligible === undefined ? [] : leavesOf(eligible))]
  return [
    ...(templates.has(templateSlug)
      ? []
      : [error(`${path}.templateSlug`, say('program.lint.template', { template: templateSlug }))]),
    ...requires
      .filter((one) => !ids.includes(one))
      .map((one) => error(`${path}.requires`, say('program.lint.action', { action: one }))),
    ...(facts === undefined ? [] : named.flatMap((leaf) => factIssues(path, leaf, facts)))
  ]
}

function factIssues(
  path: string,
  leaf: ReturnType<typeof leavesOf>[number],
  facts: Readonly<Record<string, FactType>>
): readonly ProgramIssue[] {
  const type = Object.hasOwn(facts, leaf.fact) ? facts[leaf.fact] : undefined
  if (type === undefined) return [error(path, say('program.lint.fact', { fact: leaf.fact }))]
  const fits = (...types: readonly FactType[]) =>
    types.includes(type) ? [] : [error(path, say(IS_TYPE[type], { fact: leaf.fact }))]
  if ('atLeast' in leaf || 'atMost' in leaf) return fits('number')
  if ('withinDays' in leaf) return fits('time')
  if ('equals' in leaf) return fits(typeOf(leaf.equals))
  return 'in' in leaf ? leaf.in.flatMap((value) => fits(typeOf(value))) : []
}

const typeOf = (value: string | number | boolean): FactType =>
  typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'boolean'

/** Actions that wait for each other, found by taking away what waits for nothing. */
function cycleIssues(actions: readonly ProgramAction[]): readonly ProgramIssue[] {
  const ids = new Set(actions.map(({ id }) => id))
  let left = actions
  for (;;) {
    const waiting = left.filter(({ requires = [] }) =>
      requires.some((id) => ids.has(id) && left.some((one) => one.id === id))
    )
    if (waiting.length === left.length) break
    left = waiting
  }
  return left.map(({ id }) => error(`actions.${id}.requires`, say('program.lint.circle')))
}

function policyIssues(
  { policy = {}, actions, holdoutPct }: ProgramDefinition,
  { facts }: LintKnowledge
): readonly ProgramIssue[] {
  const { sunset, delivery, suppressIfSessionWithinHours: session } = policy
  const zone = delivery?.timezone
  const isUnknownZone = zone !== undefined && !isTimeZone(zone)
  const lacksSession =
    session !== undefined && facts !== undefined && !Object.hasOwn(facts, SESSION_FACT)
  const isEndless = sunset === undefined && actions.some(({ onExhaust }) => onExhaust === 'hold')
  return [
    ...(isUnknownZone
      ? [error('policy.delivery.timezone', say('program.lint.zone', { zone }))]
      : []),
    ...(lacksSession
      ? [
          error(
            'policy.suppressIfSessionWithinHours',
            say('program.lint.session', { fact: SESSION_FACT })
          )
        ]
      : []),
    ...(isEndless ? [warning('policy.sunset', say('program.lint.endless'))] : []),
    ...(holdoutPct === 100 ? [warning('holdoutPct', say('program.lint.holdout'))] : [])
  ]
}
