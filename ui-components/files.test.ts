// Rows as CSV.
import { test } from 'tap'
import { csvOf } from './files.ts'

test('every key that occurs is a column; no rows are an empty line', async (t) => {
  t.equal(csvOf([{ a: 1 }, { b: 'x,y' }]), 'a,b\r\n1,\r\n,"x,y"')
  t.equal(csvOf([{ a: 'say "hi"' }]), 'a\r\n"say ""hi"""')
  t.equal(csvOf([]), '')
})

test('a text that a spreadsheet would run is made harmless; a number is not touched', async (t) => {
  for (const value of ['=1+1', '+1', '-1', '@x', '\tx']) {
    t.match(csvOf([{ value }]), `\r\n'${value}`)
  }
  t.equal(csvOf([{ value: -1 }]), 'value\r\n-1')
})
