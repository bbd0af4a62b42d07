// Mails to start from, as blocks. What is to be replaced is in brackets: the check names it. Pure.
import type { Fields } from '../answers.ts'

/** A mail to start from. */
export type ExampleId = 'newsletter' | 'announcement' | 'letter' | 'notice' | 'receipt'

/** The examples for each kind of mail. */
export const EXAMPLES: Readonly<Record<Fields['kind'], readonly ExampleId[]>> = {
  marketing: ['newsletter', 'announcement', 'letter'],
  transactional: ['notice', 'receipt', 'letter']
}

/** The words of the examples, in the language of the page. */
export type ExampleWords = (key: string) => string

const LINK = 'https://example.com/'

const text = (words: string, attributes = '') => `<mj-text${attributes}>${words}</mj-text>`
const heading = (words: string, size = 24) =>
  text(words, ` font-size="${size}px" font-weight="700" line-height="1.25"`)
const button = (words: string) =>
  `<mj-button href="${LINK}" background-color="{{brand.accent}}" align="left">${words}</mj-button>`
const column = (...blocks: readonly string[]) => [
  '<mj-column>',
  ...indented(blocks),
  '</mj-column>'
]
const section = (...lines: readonly string[]) => [
  '<mj-section background-color="{{brand.surface}}">',
  ...indented(lines),
  '</mj-section>'
]
const indented = (lines: readonly string[]) => lines.map((line) => `  ${line}`)

function bodyOf(id: ExampleId, t: ExampleWords): readonly string[] {
  const hello = text(t('example.hello'))
  const words = text(t('example.text'))
  const part = column(heading(t('example.partHeading'), 16), text(t('example.part')))
  switch (id) {
    case 'newsletter':
      return [
        ...section(...column(heading(t('example.heading')), hello, words)),
        ...section(...part, ...part),
        ...section(...column(button(t('example.more'))))
      ]
    case 'announcement':
      return section(...column(heading(t('example.heading'), 30), words, button(t('example.more'))))
    case 'notice':
      return section(
        ...column(heading(t('example.happened')), hello, words, button(t('example.open')))
      )
    case 'receipt':
      return [
        ...section(...column(heading(t('example.thanks')), hello, words)),
        ...section(
          ...column(text(t('example.item'))),
          ...column(text(t('example.amount'), ' align="right"'))
        )
      ]
    default:
      return section(...column(hello, words, text(t('example.regards'))))
  }
}

/** The MJML of an example, in the look of its sender. */
export function exampleMjml(id: ExampleId, t: ExampleWords): string {
  const body = ['{{> brandHeader}}', ...bodyOf(id, t), '{{> brandFooter}}']
  return [
    '<mjml>',
    '  <mj-head>',
    '    <mj-attributes>',
    '      <mj-all font-family="{{brand.font}}" />',
    '      <mj-text font-size="15px" line-height="1.5" color="{{brand.ink}}" />',
    '    </mj-attributes>',
    '    <mj-raw><meta name="color-scheme" content="light dark"></mj-raw>',
    '  </mj-head>',
    '  <mj-body background-color="{{brand.background}}">',
    ...body.map((line) => `    ${line}`),
    '  </mj-body>',
    '</mjml>',
    ''
  ].join('\n')
}

/** A mail without blocks. */
export const EMPTY =
  '<mjml>\n  <mj-body background-color="{{brand.background}}">\n    {{> brandFooter}}\n  </mj-body>\n</mjml>\n'
