// A template as the rules see it: its fields, and its HTML part read once. Pure.

import type { TemplateContent } from '@keelson/mailer/contracts'
import type { LintedMail } from '../contracts.ts'
import { readDocument } from './read-document.ts'
import { readMarkup } from './read-markup.ts'
import { withoutHtmlComments, withoutSlotComments } from './without-comments.ts'

/** The fields of a template that are linted. */
export type LintInput = Pick<
  TemplateContent,
  'kind' | 'subject' | 'preheader' | 'fromEmail' | 'bodyFormat' | 'html' | 'text' | 'source'
> & { readonly variables?: readonly string[] }

/** Deeper nesting costs a parser more than the event loop can spare, and no mail client shows it. */
export const MOST_DEPTH = 1_000

/** Content that could not be compiled is linted as its author wrote it. Comments are left out. */
export function lintedMail(input: LintInput, compileError: string | null): LintedMail {
  const { kind, fromEmail, bodyFormat, source, variables } = input
  const [subject, preheader, text] = [input.subject, input.preheader, input.text].map(
    withoutSlotComments
  ) as [string, string, string]
  const written = source.html === null ? null : withoutSlotComments(source.html)
  const sent = input.html === '' ? (written ?? '') : withoutSlotComments(input.html)
  const isCompiled = source.mjml !== null || source.editorJson !== null
  const isText = bodyFormat === 'text_only'
  const shown = isText ? '' : sent
  const html = withoutHtmlComments(shown)
  return {
    kind,
    subject,
    preheader,
    fromEmail,
    bodyFormat,
    text,
    compileError,
    html: shown,
    shownHtml: html,
    writtenHtml: isText || isCompiled ? null : written,
    source: isText || input.html === '' ? null : withoutSlotComments(sourceOf(source)),
    variables,
    ...readDocument(readMarkup(html).depth > MOST_DEPTH ? '' : html)
  }
}

/** What the author wrote, as it was compiled. */
function sourceOf({ html, mjml, editorJson }: LintInput['source']): string {
  const { mjml: made, html: madeHtml } = (editorJson ?? {}) as Readonly<Record<string, unknown>>
  for (const one of [made, madeHtml, mjml, html])
    if (typeof one === 'string' && one !== '') return one
  return ''
}
