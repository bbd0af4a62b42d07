// Catalogs of texts are held to their English ones, and pages to what the catalogs have.
import { test } from 'tap'

interface Source {
  readonly path: string
  readonly text: string
}

// Seen from test/dist/house.
const file = new URL('../../../.build/catalogs.mjs', import.meta.url)
const { catalogProblems } = (await import(file.href)) as {
  catalogProblems(files: readonly Source[]): string[]
}

const FOLDER = 'examples/crm/pages/people'
const TEXTS = { 'people.title': 'People', 'people.count': { one: '{n} person', other: '{n}' } }
const page = (text: string): Source => ({ path: `${FOLDER}/page.ts`, text })
const catalog = (language: string, messages: object): Source => ({
  path: `${FOLDER}/texts.${language}.json`,
  text: JSON.stringify(messages, null, 2)
})
const english = catalog('en', TEXTS)

test('a translation has the keys, the placeholders and the forms of English', async (t) => {
  const german = { 'people.title': 'Personen', 'people.count': { other: '{n} Personen' } }
  t.same(catalogProblems([english, catalog('de', german)]), [])
  const { 'people.title': title, ...rest } = german
  for (const [wrong, word] of [
    [{ 'people.title': title }, /keys of .*people\.count/],
    [{ ...rest, 'people.title': title }, /in their order/],
    [{ ...german, 'people.title': 'Personen {n}' }, /people\.title has other placeholders/],
    [{ ...german, 'people.count': '{n} Personen' }, /people\.count has other/],
    [{ ...german, 'people.count': { two: '{n} P' } }, /people\.count must be a text/]
  ] as const) {
    const problems = catalogProblems([english, catalog('de', wrong)])
    t.match(problems.join('\n'), word)
  }
})

test('a key is written once, and no translation is without English', async (t) => {
  const text = '{\n  "a.b": "1",\n  "a.b": "2"\n}\n'
  t.match(catalogProblems([{ ...english, text }]), [/a\.b is written twice/])
  t.match(catalogProblems([catalog('de', {})]), [/there is no .*texts\.en\.json/])
})

test('a percent sign has a space in German that does not break, and none in English', async (t) => {
  const percent = (german: string, english: string) =>
    catalogProblems([
      catalog('en', { 'a.b': `{n}${english}%` }),
      catalog('de', { 'a.b': `{n}${german}%` })
    ])
  t.match(percent(' ', ''), [/de\.json: a\.b needs .* before %/])
  for (const space of [' ', '\u00a0'])
    t.match(percent('\u00a0', space), [/en\.json: a\.b needs no space before %/])
  t.same(percent('\u00a0', ''), [])
})

test('pages of our plugins are in German, too', async (t) => {
  const ours = [english, catalog('de', {})].map((one) => ({
    ...one,
    path: one.path.replace('examples/', 'plugins/'),
    text: english.text
  }))
  t.same(catalogProblems(ours), [])
  t.match(catalogProblems(ours.slice(0, 1)), [/there is no .*texts\.de\.json/])
  t.same(catalogProblems([english]), [], 'examples need not be')
})

test('a page asks only for texts that a catalog has, and holds none itself', async (t) => {
  const known =
    "import texts from './texts.en.json'\nt('people.title')\nt('order.placed')\nsave('people.csv')"
  t.same(catalogProblems([english, page(known)]), [])
  const missing = page(`${known}\nt(\`people.\${key}\`, 'people.name')`)
  t.match(catalogProblems([english, missing]), [/no catalog has the text people\.name/])
  for (const text of ["const texts: Messages = { 'a.b': 'A' }\nregisterTexts()", 'html`Hello`'])
    t.match(catalogProblems([page(text)]), [/are in texts\.en\.json beside it/])
})
