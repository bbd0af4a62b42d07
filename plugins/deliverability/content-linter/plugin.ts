// The kernel plugin: a publish gate, a check of verifications, an operation, and a point for rules of others.

import {
  mailerAdminApi,
  mailerCore,
  mailerPublishGate,
  mailerVerifyCheck,
  type TemplateContent,
  type VerifyResult
} from '@keelson/mailer/contracts'
import { bindOperations, definePlugin, type Host } from '@keelson/sdk'
import { configSchema, type LinterConfig } from './config.ts'
import { lintRule } from './contracts.ts'
import { errors } from './errors.ts'
import { type Lint, type LintHost, lintOperations } from './operations/lint-operation.ts'
import manifest from './plugin.json' with { type: 'json' }
import { type LintReport, lintTemplate, RULE_IDS } from './report/lint-template.ts'

function register(host: Host, config: LinterConfig): void {
  const rules = host.contributions(lintRule)
  host.onReady(() => checkRules([...RULE_IDS, ...rules.map(({ id }) => id)], config))
  const lint: Lint = (template, mailer, compileError = null) =>
    lintTemplate(template, {
      ...config,
      compileError,
      rules,
      senderDomains: mailer.senderDomains()
    })
  // The mailer asks `check` and then `report` about the same template.
  const reports = new WeakMap<TemplateContent, LintReport>()

  host.extend(mailerPublishGate, {
    name: 'content-linter',
    check(template, { mailer }) {
      const report = lint(template, mailer)
      reports.set(template, report)
      if (report.errors.length === 0) return null
      return { error: 'lint_failed', message: sentenceOf(report), lint: report }
    },
    report: (template, { mailer }) => ({ lint: reports.get(template) ?? lint(template, mailer) })
  })
  host.extend(mailerVerifyCheck, {
    id: 'lint',
    run: ({ template }, { mailer }) => verdictOf(lint(template, mailer))
  })
  const services: LintHost = { lint, mailer: () => host.use(mailerCore) }
  host.serve(lintOperations, services)
  host.extend(mailerAdminApi, {
    name: 'content-linter',
    operations: bindOperations(lintOperations, services)
  })
}

/** @throws LNT_RULE_TAKEN, LNT_RULE_UNKNOWN */
function checkRules(ids: readonly string[], { severities }: LinterConfig): void {
  const taken = ids.find((id, index) => ids.indexOf(id) !== index)
  const plugin = 'content-linter'
  if (taken !== undefined) throw errors.LNT_RULE_TAKEN({ plugin, rule: taken })
  const unknown = Object.keys(severities).find((id) => !ids.includes(id))
  if (unknown === undefined) return
  const known = ids.join(', ')
  throw errors.LNT_RULE_UNKNOWN({ plugin, rule: unknown, known })
}

/** The first error, and how many more. */
function sentenceOf({ errors: found }: LintReport): string {
  const [first] = found
  const more = found.length > 1 ? ` (${found.length - 1} more)` : ''
  return `${first?.message ?? ''}${more}`
}

function verdictOf(report: LintReport): VerifyResult {
  const [worst] = [...report.errors, ...report.warnings]
  if (worst === undefined) return { status: 'pass' }
  return {
    status: worst.severity === 'error' ? 'fail' : 'warn',
    message: worst.message,
    ...(worst.hint !== undefined && { fix: worst.hint }),
    detail: { errors: report.errors, warnings: report.warnings }
  }
}

export default definePlugin({
  manifest,
  config: configSchema,
  operations: lintOperations,
  register,
  // This module is in dist.
  folder: new URL('..', import.meta.url)
})
