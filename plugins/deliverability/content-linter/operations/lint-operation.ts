// Lints a template and what its author has not saved yet, in the mailer's admin API.

import {
  adminAccess,
  MAILER_ADMIN_API as base,
  type MailerCore,
  type TemplateContent
} from '@keelson/mailer/contracts'
import { type Call, type Operation, operation, Type } from '@keelson/sdk'
import type { LintReport } from '../report/lint-template.ts'
import { refusals } from './refusals.ts'

const issueSchema = Type.Object(
  {
    rule: Type.String(),
    severity: Type.Enum(['error', 'warning', 'info']),
    message: Type.String(),
    hint: Type.Optional(Type.String()),
    facts: Type.Optional(
      Type.Record(Type.String(), Type.String(), { description: 'What the sentence names.' })
    )
  },
  { title: 'LintIssue' }
)

const reportSchema = Type.Object(
  {
    errors: Type.Array(issueSchema),
    warnings: Type.Array(issueSchema),
    infos: Type.Array(issueSchema),
    compileFailed: Type.Boolean()
  },
  { title: 'LintReport' }
)

const SOURCE = { maxLength: 1_000_000 }

const bodySchema = Type.Object({
  subject: Type.Optional(Type.String({ maxLength: 1_000 })),
  preheader: Type.Optional(Type.String({ maxLength: 1_000 })),
  mjml: Type.Optional(Type.String(SOURCE)),
  html: Type.Optional(Type.String(SOURCE)),
  editorJson: Type.Optional(Type.Unknown()),
  fromEmail: Type.Optional(Type.String({ maxLength: 320 })),
  kind: Type.Optional(Type.Enum(['marketing', 'transactional']))
})

/** Lints content; `compileError` says why it does not compile. */
export type Lint = (
  template: TemplateContent,
  mailer: Pick<MailerCore, 'senderDomains'>,
  compileError?: string | null
) => LintReport

/** What the operations are served with. */
export interface LintHost {
  readonly lint: Lint
  mailer(): MailerCore
}

const check = operation({
  id: 'content-linter.templates.lint',
  method: 'POST',
  base,
  path: '/templates/:slug/lint',
  summary: 'What is wrong with a template, and with what is not saved yet',
  access: adminAccess.read,
  agent: true,
  effect: 'read',
  hints: { idempotent: true },
  bodyLimit: 4 * 1024 * 1024,
  params: Type.Object({ slug: Type.String({ maxLength: 256 }) }),
  body: bodySchema,
  answer: reportSchema,
  errors: refusals.only('bad_id', 'not_found'),
  async run({ params: { slug }, body }, { host }: Call<LintHost>) {
    const mailer = host.mailer()
    const compiled = await mailer.compileTemplate(slug, body)
    if (compiled === null)
      return refusals.refuse('not_found', { message: `There is no template ${slug}.` })
    return host.lint(compiled.template, mailer, compiled.compileError)
  }
})

/** The operations of the plugin. */
export const lintOperations: readonly Operation<LintHost>[] = [check]
