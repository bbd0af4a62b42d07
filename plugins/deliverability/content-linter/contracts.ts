// content-linter.rule/v1: another rule for the content of templates.

import type { MailKind, SenderDomain } from '@keelson/mailer/contracts'
import {
  defineExtensionPoint,
  type ExtensionPoint,
  requiredFunctions
} from '@keelson/sdk/contracts/contract'
import { Type } from '@keelson/sdk/typebox'

/** How much a finding matters. An `error` keeps a template from being published. */
export type LintSeverity = 'error' | 'warning' | 'info'

/** A link of the HTML part. */
export interface LintedLink {
  /** As written, entities decoded; it may hold slots. */
  readonly href: string
  /** The words that people see, spaces collapsed. */
  readonly text: string
  readonly hasImage: boolean
}

/** An image of the HTML part. */
export interface LintedImage {
  readonly src: string
  /** Undefined when there is no `alt`; empty for a decorative image. */
  readonly alt: string | undefined
}

/** A template as rules see it: its fields, and what its HTML part holds. Slots are not filled, and their comments are left out. */
export interface LintedMail {
  readonly kind: MailKind
  readonly subject: string
  readonly preheader: string
  readonly fromEmail: string
  readonly bodyFormat: 'multipart' | 'text_only'
  /** Compiled; the source where it could not be compiled. Empty when there is none. */
  readonly html: string
  /** As `html`, without comments; those with a condition, for Outlook, stay. */
  readonly shownHtml: string
  /** What its author wrote, MJML or HTML; null where nothing was compiled of it. */
  readonly source: string | null
  /** The HTML that its author wrote; null for MJML and for an editor's source. */
  readonly writtenHtml: string | null
  /** The text part. */
  readonly text: string
  readonly links: readonly LintedLink[]
  readonly images: readonly LintedImage[]
  /** The words of the HTML part that people see, links and hidden parts left out of `bareText`. */
  readonly visibleText: string
  /** As `visibleText`, without what is inside of links. */
  readonly bareText: string
  /** Tag names of the HTML part, lower case. */
  readonly tags: ReadonlySet<string>
  /** Style sheets and `style` attributes of the HTML part. */
  readonly css: string
  /** Names of the template's variables; undefined when it declares none. */
  readonly variables: readonly string[] | undefined
  /** Why it does not compile; null when it does. */
  readonly compileError: string | null
}

/** What rules get beside the mail. */
export interface LintContext {
  readonly senderDomains: readonly SenderDomain[]
  /** Domains that links may go to, beside that of the From address. */
  readonly linkDomains: readonly string[]
}

/** Something that a rule found. */
export interface LintFinding {
  /** One sentence for the author. */
  readonly message: string
  /** What to do about it. */
  readonly hint?: string
  /** What the sentence names, for pages that say it in another language. */
  readonly facts?: Readonly<Record<string, string>>
  /** Default: the severity of the rule. */
  readonly severity?: LintSeverity
}

/** A rule. */
export interface LintRule {
  /** Unique among the rules: snake_case, as `image_missing_alt`. */
  readonly id: string
  readonly severity: LintSeverity
  /** Pure, without waiting: it runs while its author types. A throw is shown as a warning of that rule. */
  check(mail: LintedMail, context: LintContext): readonly LintFinding[]
}

/** Owned by the content linter. */
export const lintRule: ExtensionPoint<LintRule> = defineExtensionPoint<LintRule>(
  'content-linter.rule/v1',
  Type.Object({
    id: Type.String({ pattern: '^[a-z][a-z0-9_]*$', maxLength: 64 }),
    severity: Type.Enum(['error', 'warning', 'info']),
    ...requiredFunctions('check')
  })
)
