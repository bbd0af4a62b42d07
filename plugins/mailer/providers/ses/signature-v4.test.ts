// Signature Version 4, by the vectors that AWS publishes.
import { test } from 'tap'
import { signedHeaders } from './signature-v4.ts'

const credentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
}
const signing = {
  credentials,
  region: 'us-east-1',
  service: 'service',
  now: new Date('2015-08-30T12:36:00Z')
}
const request = { url: new URL('https://example.amazonaws.com/'), headers: {}, body: '' }

test('get-vanilla and post-vanilla of the test suite', async (t) => {
  const scope = 'AKIDEXAMPLE/20150830/us-east-1/service/aws4_request'
  const expected = {
    GET: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
    POST: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'
  }
  for (const method of ['GET', 'POST'] as const) {
    t.same(signedHeaders({ ...request, method }, signing), {
      'x-amz-date': '20150830T123600Z',
      authorization: `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=host;x-amz-date, Signature=${expected[method]}`
    })
  }
})

test('headers, the body and the token of temporary credentials are signed', async (t) => {
  const sign = (more: object = {}, token?: string) =>
    signedHeaders(
      { ...request, method: 'POST', headers: { 'content-type': 'application/json' }, ...more },
      {
        ...signing,
        credentials: { ...credentials, ...(token !== undefined && { sessionToken: token }) }
      }
    )
  const plain = sign()
  t.match(plain['authorization'], 'SignedHeaders=content-type;host;x-amz-date,')
  t.match(sign({}, 'token'), {
    'x-amz-security-token': 'token',
    authorization: /x-amz-security-token,/
  })
  for (const other of [
    sign({ body: 'x' }),
    sign({ headers: { 'content-type': 'a' } }),
    sign({}, 'token')
  ])
    t.not(other['authorization'], plain['authorization'])
})
