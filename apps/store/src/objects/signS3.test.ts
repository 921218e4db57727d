import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import { expect, test } from 'vitest'
import { createS3Signer } from './signS3.ts'

const credentials = { region: 'eu-north-1', keyId: 'test:tester', secret: 'testing' }
const sessionToken = 'FwoGZXIvYXdzEXAMPLE//////////wEaDA=='
const sha256 = createHash('sha256').update('bytes').digest('hex')

// Signed by an implementation of somebody else.
test.each([
  ['PUT', `https://s3.example/work/micro/33/${sha256}`],
  ['GET', 'http://127.0.0.1:8080/work?list-type=2&max-keys=1000&prefix=micro%2F33%2F'],
  ['HEAD', 'https://s3.example:9000/work'],
  ['DELETE', "https://s3.example/a%20bucket/it's/(odd)*!~_.-/é"],
])('signs %s %s as aws4fetch does, on every day, with and without a session token', async (method, url) => {
  for (const temporary of [{}, { sessionToken }]) {
    const sign = createS3Signer({ ...credentials, ...temporary })
    for (const time of ['2026-11-16T20:15:00Z', '2026-11-16T23:59:59Z', '2026-11-17T00:00:00Z']) {
      const datetime = time.replaceAll(/[:-]/g, '')
      const theirs = await new AwsV4Signer({
        method,
        url,
        headers: { 'x-amz-content-sha256': sha256 },
        accessKeyId: credentials.keyId,
        secretAccessKey: credentials.secret,
        region: credentials.region,
        service: 's3',
        datetime,
        ...temporary,
      }).sign()
      expect(sign(method, new URL(url), sha256, new Date(time))).toEqual(Object.fromEntries(theirs.headers))
    }
  }
})

test('the session token is sent and signed: another one has another signature', () => {
  const [headers, others] = [sessionToken, `${sessionToken}A`].map((token) =>
    createS3Signer({ ...credentials, sessionToken: token })(
      'HEAD',
      new URL('https://s3.example/work'),
      sha256,
      new Date(0),
    ),
  )
  expect(headers?.['x-amz-security-token']).toBe(sessionToken)
  expect(headers?.authorization).toContain('SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,')
  expect(headers?.authorization).not.toBe(others?.authorization)
})
