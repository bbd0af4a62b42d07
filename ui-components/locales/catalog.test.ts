// Messages: chosen by language and number, filled with values.
import { test } from 'tap'
import { loadTranslations, registerCatalog, translate, whenLoaded } from './catalog.ts'

test('a message is filled with its values, numbers in the language', async (t) => {
  t.equal(translate('en', 'table.of', { count: 1000, total: 12_345 }), '1,000 of 12,345')
  t.equal(translate('en', 'filter.remove', { name: 'plan pro' }), 'Remove filter plan pro')
  t.equal(translate('en', 'filter.remove'), 'Remove filter {name}')
})

test('the number chooses the form by the rules of the language', async (t) => {
  registerCatalog('en', { 'test.rows': { one: '{count} row', other: '{count} rows' } })
  registerCatalog('pl', {
    'test.rows': { one: 'wiersz', few: 'wiersze', many: 'wierszy', other: 'w' }
  })
  t.equal(translate('en', 'test.rows', { count: 1 }), '1 row')
  t.equal(translate('en', 'test.rows', { count: 0 }), '0 rows')
  t.equal(translate('pl', 'test.rows', { count: 3 }), 'wiersze')
  t.equal(translate('pl-PL', 'test.rows', { count: 5 }), 'wierszy')
})

test('what a language lacks comes from its base, then from English, then is the key', async (t) => {
  registerCatalog('fr', { 'ui.close': 'Fermer' })
  registerCatalog('fr-CA', { 'ui.copy': 'Copier' })
  t.equal(translate('fr-CA', 'ui.copy'), 'Copier')
  t.equal(translate('fr-CA', 'ui.close'), 'Fermer')
  t.equal(translate('fr-CA', 'ui.retry'), 'Try again')
  t.equal(translate('fr', 'no.such.key'), 'no.such.key')
})

test('later messages of a language join the earlier ones and win', async (t) => {
  registerCatalog('sv', { a: '1', b: '1' })
  registerCatalog('sv', { b: '2' })
  t.same([translate('sv', 'a'), translate('sv', 'b')], ['1', '2'])
})

test('a translation is loaded when its language is asked for', async (t) => {
  const texts = { 'test.hello': 'Hello' }
  registerCatalog('en', texts, { it: async () => ({ default: { 'test.hello': 'Ciao' } }) })
  const loaded = new Promise<void>(whenLoaded)
  t.equal(translate('it-CH', 'test.hello'), 'Hello', 'English until it is loaded')
  await loaded
  t.equal(translate('it-CH', 'test.hello'), 'Ciao')
  registerCatalog('en', texts, { it: () => Promise.reject(new Error('not asked again')) })
  t.equal(translate('it', 'test.hello'), 'Ciao', 'the same messages again do nothing')
})

test('a translation that cannot be loaded leaves English', async (t) => {
  registerCatalog('en', { 'test.gone': 'Here' }, { nl: () => Promise.reject(new Error('gone')) })
  const loaded = new Promise<void>(whenLoaded)
  translate('nl', 'test.gone')
  await loaded
  t.equal(translate('nl', 'test.gone'), 'Here')
})

test('what waits for a translation has it at once, and English where it cannot be loaded', async (t) => {
  const offers = {
    da: async () => ({ default: { 'test.wait': 'Vent' } }),
    fi: () => Promise.reject(new Error('gone'))
  }
  registerCatalog('en', { 'test.wait': 'Wait' }, offers)
  await loadTranslations('da-DK')
  t.equal(translate('da', 'test.wait'), 'Vent')
  await loadTranslations('fi')
  t.equal(translate('fi', 'test.wait'), 'Wait')
})

test('who asks while a translation is on its way waits for it too', async (t) => {
  let arrive: (texts: { readonly default: Record<string, string> }) => void = () => {}
  const coming = new Promise<{ readonly default: Record<string, string> }>((done) => {
    arrive = done
  })
  registerCatalog('en', { 'test.late': 'Late' }, { et: () => coming })
  t.equal(translate('et', 'test.late'), 'Late', 'this asks for it')
  const again = loadTranslations('et')
  t.ok(again)
  arrive({ default: { 'test.late': 'Hilja' } })
  await again
  t.equal(translate('et', 'test.late'), 'Hilja')
  t.equal(loadTranslations('et'), undefined, 'all are there')
})
