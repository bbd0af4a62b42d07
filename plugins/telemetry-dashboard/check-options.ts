// Checks the kinds of createDashboard's optional options, by name. Their contents are checked where they are used.
import { errors } from './errors.ts'

interface Rule {
  readonly expected: string
  isMet(value: unknown): boolean
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const TEXT: Rule = { expected: 'text', isMet: (value) => typeof value === 'string' }
const FUNCTION: Rule = { expected: 'a function', isMet: (value) => typeof value === 'function' }
const OBJECT: Rule = { expected: 'an object', isMet: isObject }

const RULES: Readonly<Record<string, Rule>> = {
  mountPath: TEXT,
  subjectAdapter: {
    expected: 'an object with describe(refs)',
    isMet: (value) => isObject(value) && 'describe' in value && typeof value.describe === 'function'
  },
  views: { expected: 'an array', isMet: Array.isArray },
  queryLimits: OBJECT,
  onSlowQuery: FUNCTION,
  timeZone: TEXT,
  title: TEXT,
  apiBase: TEXT,
  assets: OBJECT,
  queries: OBJECT
}

/** @throws TDB_OPTION_INVALID naming the option. Undefined is an option that is left out. */
export function checkOptions(options: object): void {
  for (const [option, { expected, isMet }] of Object.entries(RULES)) {
    const value: unknown = (options as Readonly<Record<string, unknown>>)[option]
    if (value === undefined || isMet(value)) continue
    throw errors.TDB_OPTION_INVALID({ option, value: JSON.stringify(value), expected })
  }
}
