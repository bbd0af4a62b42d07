// Lints a template and what its author has not saved yet, in the mailer's admin API.
import { Type } from '@keelson/sdk'
import { type AdminRoute, adminRoute } from '@keelson/sdk/contracts/mailer-admin-api'
import type { MailerCore, TemplateContent } from '@keelson/sdk/contracts/mailer-core'
import type { LintReport } from '../report/lint-template.ts'

const issueSchema = Type.Object({
  rule: Type.String(),
  severity: Type.Enum(['error', 'warning', 'info']),
  message: Type.String(),
  hint: Type.Optional(Type.String())
})

export const reportSchema = Type.Object({
  errors: Type.Array(issueSchema),
  warnings: Type.Array(issueSchema),
  infos: Type.Array(issueSchema),
  compileFailed: Type.Boolean()
})

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

export const lintRoute = (lint: Lint): AdminRoute =>
  adminRoute({
    method: 'POST',
    path: '/templates/:slug/lint',
    summary: 'What is wrong with a template, and with what is not saved yet',
    permission: 'read',
    bodyLimit: 4 * 1024 * 1024,
    schema: {
      params: Type.Object({ slug: Type.String({ maxLength: 256 }) }),
      body: bodySchema,
      response: { 200: reportSchema }
    },
    async handler({ params: { slug }, body, mailer }) {
      const compiled = await mailer.compileTemplate(slug, body)
      if (compiled === null) return { status: 404, body: unknown(slug) }
      return { body: lint(compiled.template, mailer, compiled.compileError) }
    }
  })

const unknown = (slug: string) => ({
  error: 'not_found',
  message: `There is no template ${slug}.`
})
