// Errors are born from a table.
import { test } from 'tap'
import { defineErrors, KeelsonError } from './errors.ts'

const errors = defineErrors({
  DMR_TOO_LARGE: { message: 'The report is {size} bytes.', remedy: 'Split {plugin}.', status: 413 }
})

test('the message says what and what to do, with its slots filled', async (t) => {
  const cause = new Error('the cause')
  const error = errors.DMR_TOO_LARGE({ size: 7, plugin: 'dmarc', cause })
  t.match(error, {
    name: 'KeelsonError',
    code: 'DMR_TOO_LARGE',
    message: 'The report is 7 bytes. Split dmarc.',
    remedy: 'Split dmarc.',
    status: 413,
    statusCode: 413,
    plugin: 'dmarc',
    details: { size: 7 }
  })
  t.equal(error.cause, cause)
})

test('a slot without a value stays visible, and a cause is not invented', async (t) => {
  const error = errors.DMR_TOO_LARGE()
  t.equal(error.message, 'The report is {size} bytes. Split {plugin}.')
  t.equal(error.plugin, undefined)
  t.notOk('cause' in error)
})

test('it is known again across copies of the package', async (t) => {
  t.ok(KeelsonError.is(errors.DMR_TOO_LARGE()))
  for (const value of [undefined, null, 'x', new Error('x')]) t.notOk(KeelsonError.is(value))
})

test('the table cannot be changed', async (t) => {
  t.throws(() => Object.assign(errors, { DMR_TOO_LARGE: undefined }))
})
