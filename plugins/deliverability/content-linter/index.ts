// The public entry of @keelson/content-linter.
export type { LinterConfig } from './config.ts'
export type { LintInput } from './document/linted-mail.ts'
export { default } from './plugin.ts'
export {
  type LintIssue,
  type LintOptions,
  type LintReport,
  lintTemplate,
  RULE_IDS
} from './report/lint-template.ts'
