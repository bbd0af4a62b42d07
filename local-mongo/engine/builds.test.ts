// Who waits for an index build, and what becomes of one that cannot be taken back.
import { test } from 'tap'
import { Builds } from './builds.ts'

test('who waits for a build waits until it has ended', async (t) => {
  const builds = new Builds()
  await builds.endOf(7)
  builds.begin(7)
  const waiting = builds.endOf(7)
  builds.end(7)
  await waiting
  t.pass('it ended')
})

test('a broken build that cannot be taken back fails who waits, until it is taken back', async (t) => {
  const builds = new Builds()
  let isDiskFull = true
  const takeBack = async () => {
    if (isDiskFull) throw new Error('the disk is full')
    builds.end(7)
  }
  builds.begin(7)
  const waiting = builds.endOf(7)
  await builds.takeBack(7, new Error('the build broke'), takeBack)
  await waiting
  t.throws(() => builds.endOf(7), { message: 'the build broke' })
  await builds.takeBackLeft()
  t.throws(() => builds.endOf(7), { message: 'the build broke' })
  isDiskFull = false
  await builds.takeBackLeft()
  await builds.endOf(7)
})

test('a build that has ended meanwhile is left alone', async (t) => {
  const builds = new Builds()
  await builds.takeBack(7, new Error('it broke'), () => Promise.reject(new Error('no')))
  await builds.endOf(7)
  t.pass('nobody fails')
})
