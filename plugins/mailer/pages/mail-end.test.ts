// Why a mail did not leave: its code in words, and the answer of a provider.
import { test } from 'tap'
import { mailEndWords } from './mail-end.ts'

const t = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
  key === 'mailEnd.unheard' ? key : ['said', key, ...Object.values(values)].join(' ')

test('a code has words, and what a provider answered is quoted beside them', async (t_) => {
  const of = (exitReason?: string, errorMessage?: string) =>
    mailEndWords({ exitReason, errorMessage }, t)
  t_.equal(of('not_subscribed', 'The contact has no subscription.'), 'said mailEnd.not_subscribed')
  t_.equal(of('rejected', '550 No'), 'said mailEnd.quoted said mailEnd.rejected 550 No')
  t_.equal(of('unheard', 'Its reason.'), 'Its reason.')
  t_.equal(of(undefined, '451 Later'), '451 Later')
  t_.equal(of(), undefined)
})
