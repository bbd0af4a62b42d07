// Reading HTML: what people see, what is broken, and that nothing throws.
import fc from 'fast-check'
import { test } from 'tap'
import { readDocument } from '../document/read-document.ts'
import { readMarkup } from '../document/read-markup.ts'
import { lintTemplate } from '../report/lint-template.ts'
import { hostOf } from '../rules/hosts.ts'

test('links have their words, images their alt text, entities are characters', async (t) => {
  const document = readDocument(
    '<p>One&nbsp;<a href=" https://a.test/?x=1&amp;y=2 ">two <b>three</b><img src="i" alt="four"></a>five</p>'
  )
  t.same(document.links, [{ href: 'https://a.test/?x=1&y=2', text: 'two three', hasImage: true }])
  t.same(document.images, [{ src: 'i', alt: 'four' }])
  t.equal(document.visibleText, 'One two threefive')
  t.equal(document.bareText, 'One five')
})

test('head, style, script and hidden parts are not words', async (t) => {
  const { visibleText, css } = readDocument(
    '<head><title>T</title><style>p{color:red}</style></head><body><script>x</script><div style="display: none">no</div><p style="top:1px">yes</p>'
  )
  t.equal(visibleText, 'yes')
  t.match(css, 'p{color:red}')
  t.match(css, 'top:1px')
})

test('a link that is not closed ends where the next one begins', async (t) => {
  const { links } = readDocument('<a href="a">one<a href="b">two</a>three')
  t.same(
    links.map(({ href, text }) => `${href} ${text}`),
    ['a one', 'b two']
  )
})

test('tags are counted as written', async (t) => {
  t.same(readMarkup('<div><b>x</div></i>').unclosed, ['b'])
  t.same(readMarkup('<div><b>x</div></i>').unopened, ['i'])
  t.same(readMarkup('<table><tr><td>a<tr><td>b</table>').unclosed, [])
  t.same(readMarkup('<svg><path d="1"/><g></g></svg>').unclosed, [])
  t.same(readMarkup('<DIV></div><style>a > b</style>').unclosed, [])
  t.same(readMarkup('<p title="</div>">a</p>').unopened, [])
  t.equal(readMarkup('<!-- a --> b').hasOpenComment, false)
  t.equal(readMarkup('a <!-- b').hasOpenComment, true)
})

test('only http links have a host', async (t) => {
  const hosts = [
    ['https://User:pw@A.test:8443/x', 'a.test'],
    ['//cdn.test/x', 'cdn.test'],
    ['https://a.test?x', 'a.test'],
    ['https://{{vars.host}}/x', undefined],
    ['mailto:a@b.test', undefined],
    ['/x', undefined],
    ['{{unsubscribeUrl}}', undefined]
  ] as const
  for (const [href, host] of hosts) t.equal(hostOf(href), host, href)
})

const piece = fc.oneof(
  fc.constantFrom(
    '<a href="https://bit.ly">',
    '</a>',
    '<div',
    '</',
    '>',
    '<!--',
    '-->',
    '<style>',
    '{{#if x}}',
    '{{vars.a}}',
    '{{',
    '}}',
    '"',
    '&#x',
    '<svg/>',
    '<![CDATA['
  ),
  fc.string()
)

test('any content has a report whose issues are complete', async (t) => {
  fc.assert(
    fc.property(fc.array(piece), fc.string(), fc.string(), (pieces, subject, fromEmail) => {
      const html = pieces.join('')
      const { errors, warnings, infos } = lintTemplate({
        kind: 'marketing',
        bodyFormat: 'multipart',
        preheader: '',
        text: html,
        source: { html, mjml: null, editorJson: null },
        subject,
        fromEmail,
        html
      })
      return (
        errors.length > 0 &&
        [...errors, ...warnings, ...infos].every(
          ({ message }) => message !== '' && !message.startsWith('The rule failed')
        )
      )
    })
  )
  t.pass()
})
