// What a change makes of the draft of a template. Pure.
import type { MailKind } from '../../contracts/mailer-core.ts'
import { senderOf } from '../../delivery/sends/compose-mail.ts'
import type { ResolvedConfig } from '../../ledger/check-config.ts'
import { defined } from '../../ledger/defined.ts'
import type {
  TemplateBody,
  TemplateDraft,
  TemplateFields,
  TemplateRow
} from '../../ledger/template-rows.ts'

/** A change of a draft: what is left out stays. */
export type DraftChange = {
  readonly [key in Exclude<keyof TemplateDraft, 'body' | Clearable>]?: TemplateDraft[key]
} & { readonly [key in Clearable]?: TemplateDraft[key] | null } & Partial<TemplateBody>

type Clearable = (typeof CLEARABLE)[number]
/** Fields that a template may be without. */
export const CLEARABLE = [
  'description',
  'category',
  'providerOverride',
  'providerPatienceHours'
] as const satisfies readonly (keyof TemplateDraft)[]

/** What an editor works on: the draft, or the published fields while there is none. */
export const editedFields = (row: TemplateRow): TemplateDraft => row.draft ?? fieldsOf(row)

/** The publishable fields of a template or a version, and nothing else. */
export function fieldsOf(row: TemplateFields): TemplateFields {
  const { name, kind, tags, variablesSchema, subject, preheader, fromName, fromEmail } = row
  const { replyTo, bodyFormat, trackOpens, trackClicks, body } = row
  const { description, category, providerOverride, providerPatienceHours } = row
  return {
    name,
    kind,
    tags,
    variablesSchema,
    subject,
    preheader,
    fromName,
    fromEmail,
    replyTo,
    bodyFormat,
    trackOpens,
    trackClicks,
    body,
    ...defined({ description, category, providerOverride, providerPatienceHours })
  }
}

/** The draft after a change. */
export function planDraft(row: TemplateRow, change: DraftChange): TemplateDraft {
  const { html, mjml, plainText, editorJson, ...fields } = change
  const edited = editedFields(row)
  const body = { ...edited.body, ...defined({ html, mjml, plainText, editorJson }) }
  const planned = { ...edited, ...defined(fields), body } as Record<string, unknown>
  for (const key of CLEARABLE) if (planned[key] === null) delete planned[key]
  return planned as unknown as TemplateDraft
}

/** What an editor works on with changes that are not saved. A source among them is the whole body. */
export function unsavedDraft(row: TemplateRow, change: DraftChange): TemplateDraft {
  const { html, mjml, editorJson, ...rest } = change
  const isBody = html !== undefined || mjml !== undefined || (editorJson ?? null) !== null
  const edited = planDraft(row, rest)
  if (!isBody) return edited
  const body = { html: '', mjml: '', plainText: rest.plainText ?? '', editorJson: null }
  return { ...edited, body: { ...body, ...defined({ html, mjml, editorJson }) } }
}

/** The fields of a template that was just made: sender of the defaults, tracking for marketing alone. */
export function emptyFields(name: string, kind: MailKind, config: ResolvedConfig): TemplateFields {
  const { trackOpens, trackClicks } = config
  const from = senderOf(config, { kind, fromName: '', fromEmail: '' })
  const isMarketing = kind === 'marketing'
  return {
    name,
    kind,
    tags: [],
    variablesSchema: {},
    subject: '',
    preheader: '',
    fromName: from?.name ?? '',
    fromEmail: from?.email ?? '',
    replyTo: null,
    bodyFormat: 'multipart',
    trackOpens: isMarketing && trackOpens,
    trackClicks: isMarketing && trackClicks,
    body: { html: '', plainText: '', mjml: '', editorJson: null }
  }
}
