// What an A/B test tries, as it is edited.
import { test } from 'tap'
import {
  isDistinct,
  isSubjectTest,
  movedTo,
  newSubjects,
  type SplitTest,
  withArm,
  withoutArm,
  withText
} from './split-choice.ts'

const own = { subject: 'News', preheader: 'Read it' }
const split = (variants: SplitTest['variants']): SplitTest => ({
  variants,
  testPercent: 20,
  winner: 'human_opens',
  decideAfterHours: 4
})

test('arms that read the same are not distinct, also where one is empty', async (t) => {
  const fresh = newSubjects('news', own)
  t.notOk(isDistinct(fresh, own), 'the second has the subject of the template, too')
  const written = withText(fresh, 1, 'subject', 'Your year')
  t.ok(isDistinct(written, own))
  t.notOk(isDistinct(withText(written, 1, 'subject', ''), own))
  t.ok(isDistinct(withText(fresh, 1, 'preheader', 'Three things'), own))
})

test('arms keep their letters in order when one is added or removed', async (t) => {
  const three = withArm(newSubjects('news', own), 'news')
  t.same(
    three.map(({ name }) => name),
    ['A', 'B', 'C']
  )
  t.same(
    withoutArm(three, 0).map(({ name }) => name),
    ['A', 'B']
  )
})

test('another template of the broadcast moves its arms, and ends a test of it against itself', async (t) => {
  const subjects = split(withText(newSubjects('news', own), 1, 'subject', 'Your year'))
  t.ok(isSubjectTest(subjects))
  t.match(movedTo(subjects, 'news', 'offer')?.variants, [
    { templateSlug: 'offer' },
    { templateSlug: 'offer' }
  ])
  const templates = split([
    { name: 'A', templateSlug: 'news' },
    { name: 'B', templateSlug: 'offer' }
  ])
  t.notOk(isSubjectTest(templates))
  t.equal(movedTo(templates, 'news', 'offer'), null)
  t.notOk(isSubjectTest(null))
})
