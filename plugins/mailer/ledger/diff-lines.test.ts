// The difference of two texts by lines.
import fc from 'fast-check'
import { test } from 'tap'
import { comparedLines, diffLines, hunksOf } from './diff-lines.ts'

const anyLines = fc.array(fc.constantFrom<string>('a', 'b', 'c'), { maxLength: 30 })
const isEqual = (a: readonly string[], b: readonly string[]) => a.join() === b.join()

test('a difference has every line of both sides in order', async () => {
  const property = fc.property(anyLines, anyLines, (before, after) => {
    const diff = diffLines(before, after)
    const side = (kind: string) =>
      diff.filter((line) => line.kind === 'same' || line.kind === kind).map(({ text }) => text)
    return (
      isEqual(side('removed'), before) &&
      isEqual(side('added'), after) &&
      (!isEqual(before, after) || diff.every(({ kind }) => kind === 'same'))
    )
  })
  fc.assert(property)
})

test('the runs of a difference are at their places, and turn the one text into the other', async () => {
  const property = fc.property(anyLines, anyLines, (before, after) => {
    const made = [...before]
    for (const hunk of hunksOf(diffLines(before, after)).toReversed()) {
      const { oldStart, oldLines, newStart, newLines, lines } = hunk
      const side = (sign: string) =>
        lines
          .filter((line) => ' '.concat(sign).includes(line.charAt(0)))
          .map((line) => line.slice(1))
      if (!isEqual(side('-'), before.slice(oldStart - 1, oldStart - 1 + oldLines))) return false
      if (!isEqual(side('+'), after.slice(newStart - 1, newStart - 1 + newLines))) return false
      made.splice(oldStart - 1, oldLines, ...side('+'))
    }
    return isEqual(made, after)
  })
  fc.assert(property)
})

test('lines that are far from a change are left out', async (t) => {
  const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`)
  const changed = lines.with(9, 'another')
  t.same(hunksOf(diffLines(lines, changed)), [
    {
      oldStart: 7,
      oldLines: 7,
      newStart: 7,
      newLines: 7,
      lines: [
        ...[' line 7', ' line 8', ' line 9', '-line 10', '+another'],
        ...[' line 11', ' line 12', ' line 13']
      ]
    }
  ])
})

test('texts that have little in common are one text removed, and one added', async (t) => {
  const lines = (word: string) => Array.from({ length: 2_500 }, (_, at) => word + at)
  t.equal(comparedLines(lines('a'), lines('b')), undefined)
  const kinds = new Set(diffLines(lines('a'), lines('b')).map(({ kind }) => kind))
  t.same([...kinds], ['removed', 'added'])
})
