// A published template, ready to render: compiled once, filled per recipient.
import type { MailContact, MailKind } from '../contracts/mailer-core.ts'
import type { MailTexts } from './mail-texts.ts'
import type { TrackedLink } from './send-row.ts'

/** What one mail is rendered with. */
export interface RenderInput {
  readonly contact: MailContact
  /** Checked against the template's variables, defaults filled in. */
  readonly vars: Readonly<Record<string, unknown>>
  /** The event that started the flow. */
  readonly event?: {
    readonly name: string
    readonly properties: Readonly<Record<string, unknown>>
  }
  /** Variables of the host, as further roots. */
  readonly roots?: Readonly<Record<string, unknown>>
  readonly addresses: MailAddresses
  readonly texts?: MailTexts
}

/** The addresses that a mail carries. */
export interface MailAddresses {
  /** null for transactional mail. */
  readonly unsubscribeUrl: string | null
  readonly preferencesUrl: string | null
  readonly viewInBrowserUrl: string | null
  /** Left out where opens are not tracked. */
  readonly openPixelUrl?: string
  /** Linked where only machines see it. Left out where clicks are not tracked. */
  readonly honeypotUrl?: string
  /** The id of a link's address; equal targets have equal ids. Left out where clicks are not tracked. */
  readonly linkId?: (target: string) => string
  /** The tracking address of a link. Set together with `linkId`. */
  readonly clickUrl?: (linkId: string) => string
}

/** A mail, rendered for one contact. */
export interface RenderedContent {
  readonly subject: string
  readonly preheader: string
  /** Left out for `text_only` templates. */
  readonly html?: string
  readonly text: string
  /** The tracked links, in order, each target once. */
  readonly links: readonly TrackedLink[]
}

/** What rendering came to. A failure is a fault of the template or its data: a retry will not help. */
export type RenderResult =
  | { readonly ok: true; readonly mail: RenderedContent }
  | { readonly ok: false; readonly code: RenderFailure; readonly message: string }

/** Why a mail could not be rendered. */
export type RenderFailure = 'template_failed' | 'render_too_large' | 'variable_missing'

/** A published version of a template, compiled. */
export interface PreparedTemplate {
  readonly slug: string
  readonly version: number
  readonly kind: MailKind
  readonly category?: string
  readonly providerOverride?: string
  /** Of transactional mail, in place of that of the configuration. */
  readonly providerPatienceHours?: number
  readonly bodyFormat: 'multipart' | 'text_only'
  readonly trackOpens: boolean
  readonly trackClicks: boolean
  readonly fromName: string
  readonly fromEmail: string
  readonly replyTo: string | null
  readonly bodyHash: string
  /** Pure and synchronous; within a budget of steps and bytes. */
  render(input: RenderInput): RenderResult
}

/** Published templates by slug, compiled once per version and process. */
export interface PublishedTemplates {
  /**
   * The published versions of these slugs; a slug without one is missing from the map. One query for the
   * current versions; content is read only when a version is not in memory.
   */
  load(slugs: readonly string[]): Promise<ReadonlyMap<string, PreparedTemplate>>
}
