// What a client prefers.
import { test } from 'tap'
import { prefersHtml, prefersJson } from './accept.ts'

test('a client is taken by what it names, not by wildcards', async (t) => {
  t.equal(prefersHtml('text/html,*/*;q=0.8'), true)
  t.equal(prefersHtml('application/json, text/html;q=0.5'), false)
  t.equal(prefersHtml('*/*'), false)
  t.equal(prefersHtml(undefined), false)
  t.equal(prefersHtml('text/html;q=0'), false)
  t.equal(prefersHtml('text/html;q=oops'), false)
  t.equal(prefersJson('application/json'), true)
  t.equal(prefersJson('text/html, application/json'), false)
  t.equal(prefersJson('*/*'), false)
})
