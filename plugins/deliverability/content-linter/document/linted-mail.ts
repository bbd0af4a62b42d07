// A template as the rules see it: its fields, and its HTML part read once. Pure.

import type { TemplateContent } from '@keelson/mailer/contracts'
import type { LintedMail } from '../contracts.ts'
import { readDocument } from './read-document.ts'
import { readMarkup } from './read-markup.ts'

/** The fields of a template that are linted. */
export type LintInput = Pick<
  TemplateContent,
  'kind' | 'subject' | 'preheader' | 'fromEmail' | 'bodyFormat' | 'html' | 'text' | 'source'
> & { readonly variables?: readonly string[] }

/** Deeper nesting costs a parser more than the event loop can spare, and no mail client shows it. */
export const MOST_DEPTH = 1_000

/** Content that could not be compiled is linted as its author wrote it. */
export function lintedMail(input: LintInput, compileError: string | null): LintedMail {
  const { kind, subject, preheader, fromEmail, bodyFormat, text, source, variables } = input
  const html = input.html === '' ? (source.html ?? '') : input.html
  const isCompiled = source.mjml !== null || source.editorJson !== null
  const shown = bodyFormat === 'text_only' ? '' : html
  return {
    ...{ kind, subject, preheader, fromEmail, bodyFormat, text, compileError },
    html: shown,
    writtenHtml: bodyFormat === 'text_only' || isCompiled ? null : source.html,
    variables,
    ...readDocument(readMarkup(shown).depth > MOST_DEPTH ? '' : shown)
  }
}
