// What a template lost when it was compiled: its author sees no difference in a browser. Pure.
import type { LintedMail, LintFinding, LintRule } from '../contracts.ts'
import { readDocument } from '../document/read-document.ts'
import { withoutCssComments, withoutHtmlComments } from '../document/without-comments.ts'

const MOST_SHOWN = 5
const RAW = /<(mj-[a-z-]+)/gi
const SHEET = /<(?:mj-)?style\b[^>]{0,500}>/i

export const compileRules: readonly LintRule[] = [
  {
    id: 'compile_lost',
    severity: 'warning',
    check: (mail) =>
      mail.source === null || mail.compileError !== null
        ? []
        : [...rawTags(mail), ...lostMedia(mail), ...lostImportance(mail), ...lostWords(mail)]
  }
]

function rawTags({ html }: LintedMail): readonly LintFinding[] {
  const names = new Set([...html.matchAll(RAW)].map(([, name]) => name))
  return [...names].slice(0, MOST_SHOWN).map((name) => ({
    message: `<${name}> was not compiled: mail clients do not show it.`,
    hint: 'Open and close comments for Outlook within one mj-raw.'
  }))
}

/** The text of the author's style sheets. */
function sheetsOf(source: string): string {
  const [, ...sheets] = withoutHtmlComments(source).split(SHEET)
  const texts = sheets.map((sheet) =>
    sheet.slice(0, Math.max(0, sheet.search(/<\/(?:mj-)?style/i)))
  )
  return withoutCssComments(texts.join('\n'))
}

const spaceless = (text: string): string => text.replace(/\s+/g, '').toLowerCase()

function lostMedia({ source, html }: LintedMail): readonly LintFinding[] {
  const kept = spaceless(html)
  const conditions = [...sheetsOf(source ?? '').matchAll(/@media\b[^{;]{0,300}/gi)].map(([one]) =>
    one.trim()
  )
  const lost = [...new Set(conditions)].filter((one) => !kept.includes(spaceless(one)))
  return lost.slice(0, MOST_SHOWN).map((one) => ({
    message: `The rules of "${one.slice(0, 80)}" are not in the mail.`,
    hint: 'Write them into a <style>, or an <mj-style> without inline="inline".'
  }))
}

function lostImportance({ source, html }: LintedMail): readonly LintFinding[] {
  const isImportant = /!\s*important/i
  return isImportant.test(sheetsOf(source ?? '')) && !isImportant.test(html)
    ? [
        {
          message: '!important of the style sheet is not in the mail.',
          hint: 'Write it into style attributes, or into a <style> with a media query.'
        }
      ]
    : []
}

/** The mailer writes the look of the sender in their place. */
const withoutBrand = (source: string): string =>
  source.replace(/\{\{[{>]?\s*brand\w*(?:\.\w+)?\s*\}\}\}?/g, ' ')

function lostWords({ source, shownHtml }: LintedMail): readonly LintFinding[] {
  if (!/<mjml\b/i.test(source ?? '')) return []
  const kept = new Set(wordsOf(readDocument(shownHtml).visibleText))
  const lost = wordsOf(
    readDocument(withoutBrand(withoutHtmlComments(source ?? ''))).visibleText
  ).filter((word) => !kept.has(word))
  if (lost.length === 0) return []
  const shown = [...new Set(lost)].slice(0, MOST_SHOWN).join(' ')
  return [{ message: `Words of the source are not in the mail: "${shown.slice(0, 120)}".` }]
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}]{2,}/gu) ?? []
