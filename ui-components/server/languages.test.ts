// The language that is picked for a list of tags from outside.
import fc from 'fast-check'
import { test } from 'tap'
import { LANGUAGES, languageTags, pickLanguage } from './languages.ts'

test('the first language that is known is picked, by its tag or its base language', async (t) => {
  const picked = (text: string | undefined) => pickLanguage(text, LANGUAGES)
  t.equal(picked('de'), 'de')
  t.equal(picked('de-AT'), 'de')
  t.equal(picked('DE-ch-1996'), 'de')
  t.equal(picked('fr de en'), 'de')
  t.equal(picked('en-GB de'), 'en')
  t.equal(picked('  fr   de '), 'de')
})

test('a whole tag comes before its base language', async (t) => {
  const known = ['pt', 'pt-BR', 'zh-Hant'] as const
  t.equal(pickLanguage('pt-br', known), 'pt-BR')
  t.equal(pickLanguage('pt-PT', known), 'pt')
  t.equal(pickLanguage('zh-Hant-TW', known), 'zh-Hant')
  t.equal(pickLanguage('zh-Hans', known), undefined)
})

test('nothing is picked from unknown, empty and hostile lists', async (t) => {
  for (const text of [
    undefined,
    '',
    ' ',
    'fr it',
    'den',
    'de_DE',
    'de,en',
    'de;q=1',
    '"><script>alert(1)</script>',
    'de\u0000',
    'de\nen',
    '-de',
    '__proto__',
    'constructor',
    `${'x '.repeat(10)}de`,
    'd'.repeat(10_000)
  ]) {
    t.equal(pickLanguage(text, LANGUAGES), undefined, JSON.stringify(text)?.slice(0, 40))
  }
})

test('the tags of a list are few, well-formed and in their order', async (t) => {
  t.same(languageTags('fr de-AT <b> en'), ['fr', 'de-AT', 'en'])
  t.equal(languageTags('a '.repeat(50)).length, 10)
  fc.assert(
    fc.property(fc.string(), (text) => {
      const tags = languageTags(text)
      return tags.length <= 10 && /^[A-Za-z0-9 -]*$/.test(tags.join(' '))
    })
  )
  t.pass('any text gives letters, digits and hyphens alone')
})
