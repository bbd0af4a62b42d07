// Templates as stored: the published content, the draft, and every version that was sent.
import type { MailKind } from '@keelson/sdk/contracts/mailer-core'

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
  readonly subject: string
  readonly preheader: string
  readonly fromName: string
  readonly fromEmail: string
  readonly replyTo: string | null
  readonly bodyFormat: 'multipart' | 'text_only'
  readonly trackOpens: boolean
  readonly trackClicks: boolean
  readonly body: TemplateBody
}

/** A row of `mailer_templates`; `slug` is unique. */
export interface TemplateRow extends TemplateFields {
  readonly _id: string
  readonly slug: string
  readonly name: string
  readonly description?: string
  readonly kind: MailKind
  readonly category?: string
  readonly tags: readonly string[]
  readonly variablesSchema: Readonly<Record<string, VariableSpec>>
  readonly providerOverride?: string
  /** Unpublished changes; null when there are none. */
  readonly draft: (Partial<TemplateFields> & { readonly notes?: string }) | null
  /** 0 until it is published. */
  readonly version: number
  readonly publishedAt?: Date
  readonly publishedBy?: string
  readonly stats: { readonly sent: number }
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** A row of `mailer_template_versions`: a published version, compiled. */
export interface TemplateVersionRow extends TemplateFields {
  /** `<slug>:<version>` */
  readonly _id: string
  readonly slug: string
  readonly version: number
  readonly kind: MailKind
  readonly category?: string
  readonly providerOverride?: string
  readonly variablesSchema: Readonly<Record<string, VariableSpec>>
  /** HTML with MJML compiled and styles inlined; slots are still there. Empty when there is none. */
  readonly compiledHtml: string
  readonly compiledText: string
  readonly bodyHash: string
  readonly publishedAt: Date
  readonly publishedBy: string
}
