// Rules about HTML that an author wrote: what compilers make needs none of them. Pure.
import type { LintRule } from '../contracts.ts'
import { branchesOf } from '../document/branches-of.ts'
import { MOST_DEPTH } from '../document/linted-mail.ts'
import { readMarkup } from '../document/read-markup.ts'
import { withoutHtmlComments } from '../document/without-comments.ts'

const none: readonly [] = []

/** Left open, they swallow what follows. Other tags are mended by every mail client. */
const SWALLOWING = new Set(['a', 'style', 'script', 'title', 'textarea', 'select', 'noscript'])

export const markupRules: readonly LintRule[] = [
  {
    id: 'html_too_deep',
    severity: 'error',
    check: ({ html }) => {
      const { depth } = readMarkup(html)
      return depth <= MOST_DEPTH
        ? none
        : [{ message: `${depth} tags are open within each other; at most ${MOST_DEPTH} are read.` }]
    }
  },
  {
    id: 'html_empty',
    severity: 'error',
    check: ({ writtenHtml, bodyFormat }) =>
      writtenHtml === null ||
      withoutHtmlComments(writtenHtml).trim() !== '' ||
      bodyFormat === 'text_only'
        ? none
        : [{ message: 'The HTML is empty.' }]
  },
  {
    id: 'html_unclosed_comment',
    severity: 'error',
    check: ({ writtenHtml }) =>
      writtenHtml !== null && readMarkup(writtenHtml).hasOpenComment
        ? [{ message: 'A comment is not closed: what follows is not shown.', hint: 'Add -->.' }]
        : none
  },
  {
    id: 'html_unbalanced_tags',
    severity: 'warning',
    check: ({ writtenHtml }) => (writtenHtml === null ? none : unbalanced(writtenHtml))
  },
  {
    id: 'html_script_tag',
    severity: 'warning',
    check: ({ writtenHtml, tags }) =>
      writtenHtml === null || !tags.has('script')
        ? none
        : [{ message: 'Mail clients remove <script>, and filters distrust it.' }]
  },
  {
    id: 'html_missing_body',
    severity: 'warning',
    check: ({ writtenHtml, tags }) =>
      writtenHtml === null || writtenHtml.trim() === '' || (tags.has('html') && tags.has('body'))
        ? none
        : [{ message: 'There is no <html> or <body> around the content.' }]
  }
]

function unbalanced(html: string) {
  const branches = branchesOf(html)
  const faults = branches.map(readMarkup)
  const unclosed = faults.flatMap((each) => each.unclosed)
  const unopened = faults.flatMap((each) => each.unopened)
  const hasBlocks = branches.length > 1
  const listed = (names: readonly string[]) =>
    [...new Set(names)]
      .slice(0, 5)
      .map((name) => `<${name}>`)
      .join(', ')
  // Conditions of several blocks may belong together, which nothing here knows.
  const grave = hasBlocks ? [] : unclosed.filter((name) => SWALLOWING.has(name))
  if (grave.length > 0) {
    const message = `Unclosed tags swallow what follows: ${listed(grave)}.`
    return [{ message, severity: 'error' as const }]
  }
  if (unclosed.length > 0) return [{ message: `Unclosed tags: ${listed(unclosed)}.` }]
  if (unopened.length === 0) return none
  return [{ message: `Unbalanced tags, closed and never opened: ${listed(unopened)}.` }]
}
