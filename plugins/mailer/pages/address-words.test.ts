// Whom a mail goes to, when its row knows an address and when it knows none.
import { test } from 'tap'
import { addressWords } from './address-words.ts'
import german from './texts.de.json' with { type: 'json' }
import english from './texts.en.json' with { type: 'json' }

const words = (texts: Readonly<Record<string, unknown>>) => (key: string) =>
  String(texts[key] ?? key)

test('a mail names its address, and else why there is none', async (t) => {
  const known = { emailAtSend: 'ada@example.test', externalId: 'u29' }
  const unknown = { emailAtSend: null, externalId: 'u29' }
  t.equal(addressWords(known, words(german)), 'ada@example.test')
  t.equal(addressWords(unknown, words(english)), 'deleted contact or no address')
  t.equal(addressWords(unknown, words(german)), 'Kontakt gelöscht oder ohne Adresse')
})
