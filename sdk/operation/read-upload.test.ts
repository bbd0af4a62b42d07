// Uploads of operations over HTTP: the files of a form one after the other, its limits, and broken forms.
import { buffer } from 'node:stream/consumers'
import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import { type Test, test } from 'tap'
import { Type } from '../typebox.ts'
import { operation } from './define-operation.ts'
import { bindOperations, type Call } from './operation.ts'
import { operationRoutes } from './serve.ts'

const taken = Type.Object({ field: Type.String(), filename: Type.String(), text: Type.String() })

const upload = operation({
  id: 'notes.files.add',
  method: 'POST',
  path: '/files',
  summary: 'Takes files',
  access: { auth: 'admin' },
  effect: 'change',
  upload: { kind: 'form', maxFiles: 2, maxFileBytes: 10 },
  answer: Type.Array(taken),
  async run({ files }, _call: Call<object>) {
    const read = []
    for await (const { field, filename, content } of files()) {
      read.push({ field, filename, text: String(await buffer(content)) })
    }
    return read
  }
})

const rename = operation({
  id: 'notes.names.change',
  method: 'POST',
  path: '/names',
  summary: 'Takes no form',
  access: { auth: 'admin' },
  effect: 'change',
  answer: Type.Object({}),
  run: (_input, _call: Call<object>) => ({})
})

const FORM = 'multipart/form-data; boundary=x'
const part = (text: string, at: number) =>
  `--x\r\ncontent-disposition: form-data; name="file"; filename="${at}.xml"\r\n\r\n${text}\r\n`
const form = (...texts: string[]) => `${texts.map(part).join('')}--x--\r\n`

async function serving(t: Test) {
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(multipart)
  await app.register(
    operationRoutes(bindOperations([upload, rename], {}), ({ path: url }) => ({
      url,
      closing: new AbortController().signal,
      actorOf: () => ({ tenantId: 'acme', name: 'human:a@b.test', via: 'session' }),
      may: () => true
    }))
  )
  return async (payload: string | object, type = FORM, url = '/files') => {
    const headers = typeof payload === 'string' ? { 'content-type': type } : {}
    const answer = await app.inject({ method: 'POST', url, headers, payload })
    return { status: answer.statusCode, json: answer.json() }
  }
}

test('an upload gives its files one after the other', async (t) => {
  const post = await serving(t)
  t.same((await post(form('one', '0123456789'))).json, [
    { field: 'file', filename: '0.xml', text: 'one' },
    { field: 'file', filename: '1.xml', text: '0123456789' }
  ])
  t.same((await post({})).json, [], 'a body without a form has no files')
})

test('an upload over a limit answers 413, and a form elsewhere 415', async (t) => {
  const post = await serving(t)
  const rejected = { status: 413, json: { error: 'upload_rejected' } }
  t.match(await post(form('0123456789a')), rejected)
  t.match(await post(form('1', '2', '3')), rejected)
  t.match(await post(form('1'), FORM, '/names'), { status: 415 })
})

test('a form without a boundary, and one that ends early, answer 400', async (t) => {
  const post = await serving(t)
  const invalid = {
    status: 400,
    json: {
      error: 'validation_failed',
      fields: [{ path: 'body', message: /whole multipart form/ }]
    }
  }
  t.match(await post(form('1'), 'multipart/form-data'), invalid)
  t.match(await post(form('1'), `multipart/form-data; boundary=${'x'.repeat(300)}`), invalid)
  t.match(await post(form('1').slice(0, -6)), invalid, 'after the last byte of a file')
  t.match(await post(form('123456').slice(0, -10)), invalid, 'within a file')
  t.match(await post(form('1').slice(0, 40)), invalid, 'within the head of a file')
})
