// The answers of the admin API as the Template page reads them.
import type { Static } from '@keelson/sdk'
import type { changesSchema } from '../../admin/admin-operation.ts'
import type {
  templateCheckSchema,
  templatePreviewSchema,
  templateSchema,
  templateUseSchema,
  templateVersionLineSchema
} from '../../admin/template-answers.ts'
import type { TemplateFields } from '../../ledger/template-rows.ts'

/** A template. */
export type TemplateAnswer = Static<typeof templateSchema>
/** A published version in the list. */
export type VersionAnswer = Static<typeof templateVersionLineSchema>

/** What may be edited, with the sources of the body beside the other fields. */
export interface Fields
  extends Omit<
    TemplateFields,
    | 'body'
    | 'tags'
    | 'description'
    | 'category'
    | 'providerOverride'
    | 'providerPatienceHours'
    | 'bodyFormat'
  > {
  /** null: as the config says. */
  readonly providerPatienceHours: number | null
  readonly mjml: string
  readonly html: string
}

/** Something that the linter found: its report is that of another plugin. */
export interface LintAnswer {
  readonly rule: string
  readonly message: string
  readonly hint?: string
  readonly facts?: Readonly<Record<string, string>>
}

interface LintReport {
  readonly errors?: readonly LintAnswer[]
  readonly warnings?: readonly LintAnswer[]
  readonly infos?: readonly LintAnswer[]
}

/** `POST …/check`, with what the linter adds to it. */
export type CheckAnswer = Omit<Static<typeof templateCheckSchema>, 'refusal' | 'reports'> & {
  readonly refusal: null | {
    readonly error: string
    readonly message?: string
    readonly lint?: LintReport
  }
  readonly reports: { readonly lint?: LintReport }
}

/** `POST …/preview`. */
export type PreviewAnswer = Static<typeof templatePreviewSchema>

/** `GET …/uses`: what sends the template. */
export type UseAnswer = Static<typeof templateUseSchema>

/** `GET …/diff`. */
export type DiffAnswer = Static<typeof changesSchema>

/** The fields that are edited: those of the draft, else the published ones. Pure. */
export function fieldsOf(row: TemplateAnswer): Fields {
  const from = row.draft ?? row
  const { name, kind, subject, preheader, fromName, fromEmail, replyTo } = from
  const { trackOpens, trackClicks, variablesSchema, body, providerPatienceHours = null } = from
  return {
    name,
    kind,
    subject,
    preheader,
    fromName,
    fromEmail,
    replyTo,
    trackOpens,
    trackClicks,
    variablesSchema,
    providerPatienceHours,
    mjml: body.mjml,
    html: body.html
  }
}
