// Templates as stored: the published content, the draft, and every version that was sent.
import type { VersionedRow, VersionRow } from '@keelson/sdk/versions'
import type { MailKind } from '../contracts/mailer-core.ts'

/** The body of a template: the first of editorJson, mjml and html that is set is its source. */
export interface TemplateBody {
  readonly html: string
  /** Empty: made from the HTML. */
  readonly plainText: string
  readonly mjml: string
  readonly editorJson: unknown
}

/** A variable that a template expects in `vars`. */
export interface VariableSpec {
  readonly type: 'string' | 'number' | 'boolean' | 'date' | 'array' | 'object'
  readonly required?: boolean
  readonly description?: string
  readonly defaultValue?: unknown
}

/** What a draft changes and a publish takes over. */
export interface TemplateFields {
  readonly name: string
  readonly description?: string
  readonly kind: MailKind
  readonly category?: string
  readonly tags: readonly string[]
  readonly variablesSchema: Readonly<Record<string, VariableSpec>>
  readonly providerOverride?: string
  /** Of transactional mail, in place of that of the configuration. */
  readonly providerPatienceHours?: number
  readonly subject: string
  readonly preheader: string
  readonly fromName: string
  /** Empty: that of the defaults for this kind. */
  readonly fromEmail: string
  readonly replyTo: string | null
  readonly bodyFormat: 'multipart' | 'text_only'
  readonly trackOpens: boolean
  readonly trackClicks: boolean
  readonly body: TemplateBody
}

/** All fields as they would be published, and a note of the editor. */
export interface TemplateDraft extends TemplateFields {
  readonly notes?: string
}

/** How many mails of a template came how far. */
export interface TemplateStats {
  readonly sent: number
  readonly delivered: number
  readonly opened: number
  readonly clicked: number
}

/** A row of `mailer_templates`. The fields beside the draft are the published ones. */
export interface TemplateRow extends TemplateFields, VersionedRow {
  readonly draft: TemplateDraft | null
  readonly revision: number
  /** Mails, each counted once; a little behind. Opens and clicks are those of people. */
  readonly stats: TemplateStats
}

/** A row of `mailer_template_versions`: a published version, compiled. */
export interface TemplateVersionRow extends TemplateFields, VersionRow {
  readonly slug: string
  /** HTML with MJML compiled and styles inlined; slots are still there. Empty when there is none. */
  readonly compiledHtml: string
  readonly compiledText: string
  readonly bodyHash: string
}
