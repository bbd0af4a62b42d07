// The text part that is made from HTML: what real mails hold, and what becomes of it.
import fc from 'fast-check'
import { test } from 'tap'
import { plainText } from './plain-text.ts'

const CASES: readonly (readonly [string, string, string])[] = [
  [
    'a linked picture',
    '<a href="https://x.test/a"><img src="b.png" alt="Open the offer"></a>',
    'Open the offer [https://x.test/a]'
  ],
  [
    'a linked picture without words',
    '<a href="https://x.test/a"><img src="b.png" alt=""></a>',
    'https://x.test/a'
  ],
  [
    'a linked picture beside words',
    '<a href="https://x.test/a"><img alt="Shop">now</a>',
    'Shop now [https://x.test/a]'
  ],
  [
    'a picture in a table in a link',
    '<a href="{{u}}"><table><tr><td><img alt="{{vars.n}}"></td></tr></table></a>',
    '{{vars.n}}\n\n[{{u}}]'
  ],
  ['a picture that is not linked', '<p>a</p><img alt="logo"><p>b</p>', 'a\n\nb'],
  [
    'a definition list',
    '<dl><dt>Term</dt><dd>Meaning</dd><dt>Other</dt><dd>More</dd></dl>',
    'Term\nMeaning\nOther\nMore'
  ],
  [
    'a figure',
    'a<figure><img alt="x"><figcaption>What it shows</figcaption></figure>b',
    'a\nWhat it shows\n\nb'
  ],
  [
    'a table with a caption',
    '<table><caption>Prices</caption><tr><td>Tea</td><td>3</td></tr></table>',
    'Prices\nTea 3'
  ],
  [
    'a table in parts',
    '<table><thead><tr><th>Tea</th></tr></thead><tbody><tr><td>3</td></tr></tbody></table>',
    'Tea\n3'
  ],
  ['details', '<details><summary>Terms</summary>All of them</details>', 'Terms\nAll of them'],
  ['a postal address', '<p>a</p><address>Street 1<br>Town</address>', 'a\n\nStreet 1\nTown'],
  ['a form', '<fieldset><legend>Your choice</legend>Tea</fieldset>', 'Your choice\nTea'],
  ['centred text', '<center>a</center><center>b</center>', 'a\nb'],
  ['a menu', '<menu><li>a</li><li>b</li></menu>', '* a\n * b'],
  ['a list', '<ul><li>a</li><li>b</li></ul>', '* a\n * b'],
  ['items without a list', '<li>a</li><li>b</li>', 'a\nb'],
  [
    'an address over two lines',
    '<a href="https://x.test/very/\nlong?a=1">Read</a>',
    'Read [https://x.test/very/long?a=1]'
  ],
  ['blanks around an address', '<a href=" https://x.test/a ">Read</a>', 'Read [https://x.test/a]'],
  [
    'a blank within an address',
    '<a href="https://x.test/a b">Read</a>',
    'Read [https://x.test/a%20b]'
  ],
  [
    'entities in an address',
    '<a href="https://x.test/?a=1&amp;b=2">Read</a>',
    'Read [https://x.test/?a=1&b=2]'
  ],
  [
    'an address shown as itself',
    '<a href="https://x.test/">https://x.test/</a>',
    'https://x.test/'
  ],
  [
    'an address shown without its scheme',
    '<a href="https://x.test/">x.test</a>',
    'https://x.test/'
  ],
  ['a mail address', '<a href="MAILTO:a@x.test">a@x.test</a>', 'a@x.test'],
  ['a place on the same page', '<a href="#top">Top</a>', 'Top'],
  ['a slot as address', '<a href="{{u}}">{{u}}</a>', '{{u}}']
]

test('each kind of HTML is text that reads alike', (t) => {
  for (const [name, html, text] of CASES) t.equal(plainText(html), text, name)
  t.end()
})

test('no two blocks run together', (t) => {
  const names =
    'address article aside blockquote center dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup legend li main nav ol option p pre search section summary table ul'
  for (const name of names.split(' '))
    t.match(plainText(`one<${name}>two</${name}>three`), /^one\s+(> )?two\s+three$/, name)
  t.end()
})

test('any link has its address, whatever its words', async () => {
  const words = fc.string({
    unit: fc.constantFrom('a', ' ', '<b>', '</b>', '<img alt="p">', '/'),
    maxLength: 12
  })
  fc.assert(
    fc.property(words, (inner) =>
      plainText(`<a href="https://x.test/p">${inner}</a>`).includes('https://x.test/p')
    )
  )
})
