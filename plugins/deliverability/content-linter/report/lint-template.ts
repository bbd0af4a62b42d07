// Lints a template: every rule once, findings by severity. Pure.
import type { LintContext, LintedMail, LintRule, LintSeverity } from '../contracts.ts'
import { type LintInput, lintedMail } from '../document/linted-mail.ts'
import { clientRules } from '../rules/client-rules.ts'
import { compileRules } from '../rules/compile-rules.ts'
import { contentRules } from '../rules/content-rules.ts'
import { SHORTENERS } from '../rules/hosts.ts'
import { linkRules } from '../rules/link-rules.ts'
import { markupRules } from '../rules/markup-rules.ts'

/** Something that a rule found. */
export interface LintIssue {
  readonly rule: string
  readonly severity: LintSeverity
  readonly message: string
  readonly hint?: string
  /** What the sentence names. */
  readonly facts?: Readonly<Record<string, string>>
}

/** All findings. Errors keep a template from being published. */
export interface LintReport {
  readonly errors: readonly LintIssue[]
  readonly warnings: readonly LintIssue[]
  readonly infos: readonly LintIssue[]
  readonly compileFailed: boolean
}

/** What a template is linted with. */
export interface LintOptions extends Partial<LintContext> {
  /** Why the content does not compile; null or left out when it does. */
  readonly compileError?: string | null
  /** Shorteners beside the known ones. */
  readonly shorteners?: readonly string[]
  /** Rules beside the built-in ones. */
  readonly rules?: readonly LintRule[]
  /** Another severity for a rule, or `off`. */
  readonly severities?: Readonly<Record<string, LintSeverity | 'off'>>
}

const BUILT_IN: readonly LintRule[] = [
  ...contentRules,
  ...markupRules,
  ...compileRules,
  ...clientRules
]

/** Ids of the built-in rules. */
export const RULE_IDS: readonly string[] = [...BUILT_IN, ...linkRules([])].map(({ id }) => id)

/** Lints the content of a template. Slots are not filled. */
export function lintTemplate(input: LintInput, options: LintOptions = {}): LintReport {
  const { compileError = null, shorteners = [], rules = [] } = options
  const { senderDomains = [], linkDomains = [], severities = {} } = options
  const mail = lintedMail(input, compileError)
  const context = { senderDomains, linkDomains }
  const all = [...BUILT_IN, ...linkRules([...SHORTENERS, ...shorteners]), ...rules]
  const issues = all.flatMap((rule) => issuesOf(rule, mail, context, severityOf(severities, rule)))
  const of = (severity: LintSeverity) => issues.filter((issue) => issue.severity === severity)
  return {
    errors: of('error'),
    warnings: of('warning'),
    infos: of('info'),
    compileFailed: compileError !== null
  }
}

const severityOf = (severities: NonNullable<LintOptions['severities']>, { id }: LintRule) =>
  Object.hasOwn(severities, id) ? severities[id] : undefined

function issuesOf(
  rule: LintRule,
  mail: LintedMail,
  context: LintContext,
  chosen: LintSeverity | 'off' | undefined
): readonly LintIssue[] {
  if (chosen === 'off') return []
  try {
    return rule.check(mail, context).map(({ message, hint, facts, severity }) => ({
      rule: rule.id,
      severity: chosen ?? severity ?? rule.severity,
      message,
      ...(hint !== undefined && { hint }),
      ...(facts !== undefined && { facts })
    }))
  } catch (error) {
    const message = `The rule failed: ${error instanceof Error ? error.message : error}`
    return [{ rule: rule.id, severity: 'warning', message }]
  }
}
