// The error table and its reference page.
import { readFileSync } from 'node:fs'
import { test } from 'tap'
import { errorSections, errors, errorTable, retiredCodes } from './errors.ts'
import { errorsPage } from './page.ts'

const page = readFileSync(new URL('../../ERRORS.md', import.meta.url), 'utf8')

test('the reference page is the printed one', async (t) => {
  t.equal(page, errorsPage())
})

test('every code is on the page, and every code on the page is in the table', async (t) => {
  const onPage = [...page.matchAll(/^### (\w+)$/gm)].map(([, code]) => code)
  t.same(onPage.sort(), Object.keys(errorTable).sort())
})

test('no code stands in two sections, and none was retired', async (t) => {
  const codes = Object.values(errorSections).flatMap((rows) => Object.keys(rows))
  t.equal(new Set(codes).size, codes.length)
  t.same(
    codes.filter((code) => retiredCodes.includes(code) || !/^KRN_[A-Z0-9_]+$/.test(code)),
    []
  )
})

test('an error says what, where and what to do', async (t) => {
  const error = errors.KRN_ROUTE_UNDECLARED({ plugin: 'alpha', path: 'routes', route: 'GET /x' })
  t.match(error, { code: 'KRN_ROUTE_UNDECLARED', plugin: 'alpha', status: 500 })
  t.match(error.message, 'Plugin alpha registers GET /x')
  t.ok(error.message.endsWith(error.remedy))
})
