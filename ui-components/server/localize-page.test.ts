// Titles of pages and headings of the navigation in the language of the shell.
import { test } from 'tap'
import { localizePage } from './localize-page.ts'

const page = {
  id: 'lists',
  title: 'Block lists',
  nav: { section: 'Deliverability', order: 3 },
  translations: {
    de: { title: 'Sperrlisten', section: 'Zustellbarkeit' },
    'de-CH': { title: 'Sperrlisten (CH)' }
  }
}

test('a page has the words of the language, else those of its base language', async (t) => {
  t.match(localizePage(page, 'de'), {
    id: 'lists',
    title: 'Sperrlisten',
    nav: { section: 'Zustellbarkeit', order: 3 }
  })
  t.equal(localizePage(page, 'de-AT').title, 'Sperrlisten')
  t.match(
    localizePage(page, 'de-CH'),
    { title: 'Sperrlisten (CH)', nav: { section: 'Deliverability' } },
    'a section that is not translated stays'
  )
})

test('without a translation a page keeps its words', async (t) => {
  t.equal(localizePage(page, 'fr'), page)
  const { translations: _none, nav: _hidden, ...bare } = page
  t.equal(localizePage(bare, 'de'), bare)
  t.same(
    localizePage({ ...bare, translations: { de: { title: 'A', section: 'B' } } }, 'de').title,
    'A',
    'a page without a place in the navigation'
  )
})
