// Many report files at once: each is sent, and one that is refused does not stop the others.
import { createFormat, RequestError } from '@keelson/ui'
import { test } from 'tap'
import { uploadedWords, uploadFiles } from './upload.ts'

const file = (name: string) => new File(['x'], name)
const words = (error: unknown) => String((error as Error).message)

test('a refused file is named with its reason, and the others are stored', async (t) => {
  const done: number[] = []
  const act = (async (_method: string, _path: string, body: FormData) => {
    const { name } = body.get('file') as File
    if (name === 'bad')
      throw new RequestError(400, { error: 'damaged', message: 'The file is damaged.' })
    return { duplicate: name === 'known', orgName: 'r', domain: 'acme.test', totalMessages: 2 }
  }) as never
  const files = ['a', 'bad', 'known', 'b'].map(file)
  const uploaded = await uploadFiles({ act, words }, files, (count) => done.push(count))
  t.same(done, [1, 2, 3, 4])
  t.match(uploaded, { duplicates: 1, untried: 0, refused: [{ name: 'bad', why: /damaged/ }] })
  t.equal(uploaded.stored.length, 2)
})

test('a server that is away ends the upload and says how many files were not sent', async (t) => {
  let calls = 0
  const act = (async () => {
    calls += 1
    throw new TypeError('fetch failed')
  }) as never
  const uploaded = await uploadFiles({ act, words }, ['a', 'b', 'c'].map(file), () => undefined)
  t.equal(calls, 1)
  t.match(uploaded, { stored: [], refused: [{ name: 'a' }], untried: 2 })
})

test('one sentence says what was stored', (t) => {
  const page = {
    format: createFormat('en'),
    t: (key: string, values: Readonly<Record<string, string | number>> = {}) =>
      [key, ...Object.values(values)].join(' ')
  }
  const one = { orgName: 'r', domain: 'acme.test', totalMessages: 2 }
  t.equal(uploadedWords({ stored: [one], duplicates: 0 }, page), 'dmarc.uploaded r acme.test 2')
  t.equal(
    uploadedWords({ stored: [one, one], duplicates: 3 }, page),
    'dmarc.uploadedMany 2 dmarc.duplicates 3'
  )
  t.equal(uploadedWords({ stored: [], duplicates: 1 }, page), 'dmarc.duplicate')
  t.end()
})
