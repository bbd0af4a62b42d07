// Addresses of the mail pages.
import { test } from 'tap'
import { mailHref, oneHref, slugOf } from './addresses.ts'

test('links name the page and its parameters', async (t) => {
  t.equal(mailHref(''), '/admin/mailer')
  t.equal(mailHref('sends', { status: 'unknown' }), '/admin/mailer/sends?status=unknown')
  t.equal(oneHref('template', 'a/b', { tab: 'diff' }), '/admin/mailer/template/a%2Fb?tab=diff')
})

test('the slug is read from the rest of an address', async (t) => {
  t.equal(slugOf(''), '')
  t.equal(slugOf('/welcome'), 'welcome')
  t.equal(slugOf('/a%2Fb/more'), 'a/b')
  t.equal(slugOf('/%zz'), '', 'an invalid address has none')
})
