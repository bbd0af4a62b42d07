// The lines of shares, records as zone files have them, and names of buckets.
import fc from 'fast-check'
import { test } from 'tap'
import { bucketName } from '../bucket-name.ts'
import { zoneLine } from './checklist.ts'
import { pathOf, rangeOf } from './share-chart.ts'

const pointsOf = (shares: readonly (number | null)[]) =>
  shares.map((share, at) => ({ day: `2026-11-${at + 1}`, share }))

test('a line breaks where a day has no figure', async (t) => {
  const path = pathOf(pointsOf([0, 0.5, null, 1]), [0, 1])
  t.equal(path, 'M0.0 72.0L86.7 36.0M260.0 0.0')
  t.equal(pathOf(pointsOf([null]), [0, 1]), '')
})

test('the edges hold every share and limit', async () => {
  const shares = fc.array(fc.option(fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 31 })
  fc.assert(
    fc.property(shares, fc.double({ min: 0.001, max: 1, noNaN: true }), (given, limit) => {
      const [low, high] = rangeOf(pointsOf(given), [limit], {})
      return [...given.flatMap((share) => share ?? []), limit].every(
        (share) => share >= low && share <= high
      )
    })
  )
})

test('a record is one line, its text in parts of at most 255 characters', async (t) => {
  const record = { name: '_dmarc.acme.test', type: 'TXT', value: 'v=DMARC1; p="none"' }
  t.equal(zoneLine(record), '_dmarc.acme.test. IN TXT "v=DMARC1; p=\\"none\\""')
  const long = zoneLine({ ...record, value: 'k'.repeat(400) })
  t.match(long, /^_dmarc\.acme\.test\. IN TXT "k{255}" "k{145}"$/)
})

test('a bucket is named in words, whatever its domain', async (t) => {
  const words = (key: string) => key.replace(/^health\.(kind\.)?/, '')
  t.equal(bucketName('acme.test|marketing', words), 'acme.test · marketing')
  t.equal(bucketName('|transactional', words), 'noDomain · transactional')
  t.equal(bucketName('older', words), 'older')
})
