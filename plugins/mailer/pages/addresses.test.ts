// Addresses of the mail pages.
import { test } from 'tap'
import { type Linked, mailHref, oneHref, slugOf } from './addresses.ts'

const linked: Linked = {
  linkTo: (address, params) =>
    `/platform${address} ${new URLSearchParams(params as Record<string, string>)}`
}

test('links name the page and its parameters, and come from the page', async (t) => {
  t.equal(mailHref(linked, ''), '/platform/admin/mailer ')
  t.equal(
    mailHref(linked, 'sends', { status: 'unknown' }),
    '/platform/admin/mailer/sends status=unknown'
  )
  t.equal(
    oneHref(linked, 'template', 'a/b', { tab: 'diff' }),
    '/platform/admin/mailer/template/a%2Fb tab=diff'
  )
})

test('the slug is read from the rest of an address', async (t) => {
  t.equal(slugOf(''), '')
  t.equal(slugOf('/welcome'), 'welcome')
  t.equal(slugOf('/a%2Fb/more'), 'a/b')
  t.equal(slugOf('/%zz'), '', 'an invalid address has none')
})
