// Which of a template's sources is its body: editorJson, then MJML, then HTML.
import type { TemplateBody } from './template-rows.ts'

/** The source that is compiled; undefined when there is only a plain text. */
export type BodySource =
  | { readonly ok: true; readonly format: 'mjml' | 'html'; readonly source: string }
  | { readonly ok: false; readonly message: string }

/**
 * Picks the source. `editorJson` is the document of an editor: beside whatever the editor keeps there, it
 * must hold what it came to as text, in `mjml` or in `html`. An empty text counts as left out.
 */
export function bodySource({
  editorJson,
  mjml,
  html
}: Omit<TemplateBody, 'plainText'>): BodySource {
  if (editorJson === null || editorJson === undefined) return picked(mjml, html)
  const exported = editorJson as { readonly mjml?: unknown; readonly html?: unknown }
  const isObject = typeof editorJson === 'object' && !Array.isArray(editorJson)
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  if (isObject && text(exported.mjml) + text(exported.html) !== '') {
    return picked(text(exported.mjml), text(exported.html))
  }
  return { ok: false, message: 'editorJson must be an object with the text mjml or html' }
}

const picked = (mjml: string, html: string): BodySource =>
  mjml.trim() === ''
    ? { ok: true, format: 'html', source: html }
    : { ok: true, format: 'mjml', source: mjml }
