// The error table.
import { test } from 'tap'
import { errorSections, errors, retiredCodes } from './errors.ts'

test('a code is in one section, and retired codes are not used again', async (t) => {
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
