import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import { expect, test } from 'vitest'
import { createS3Signer } from './signS3.ts'

const credentials = { region: 'eu-north-1', keyId: 'test:tester', secret: 'testing' }
const sha256 = createHash('sha256').update('bytes').digest('hex')

// Signed by an implementation of somebody else.
test.each([
  ['PUT', `https://s3.example/work/micro/33/${sha256}`],
  ['GET', 'http://127.0.0.1:8080/work?list-type=2&max-keys=1000&prefix=micro%2F33%2F'],
  ['HEAD', 'https://s3.example:9000/work'],
  ['DELETE', "https://s3.example/a%20bucket/it's/(odd)*!~_.-/é"],
])('signs %s %s as aws4fetch does, on every day', async (method, url) => {
  const sign = createS3Signer(credentials)
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
    }).sign()
    expect(sign(method, new URL(url), sha256, new Date(time))).toEqual(Object.fromEntries(theirs.headers))
  }
})
