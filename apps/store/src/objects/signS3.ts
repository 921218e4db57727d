import { createHash, createHmac } from 'node:crypto'

export interface S3Credentials {
  region: string
  keyId: string
  secret: string
  /** Only temporary credentials have one. */
  sessionToken?: string | undefined
}

/** The headers that prove a request to S3. The hash of the body is signed, so S3 refuses other bytes. */
export type SignS3 = (method: string, url: URL, sha256: string, at: Date) => Record<string, string>

/**
 * Creates a signer (AWS Signature Version 4, header form). It is synchronous: signers on Web Crypto wait for a thread several
 * times for each request, which took a tenth of an upload.
 */
export function createS3Signer({ region, keyId, secret, sessionToken }: S3Credentials): SignS3 {
  // The key changes once a day.
  let cached: { day: string; key: Buffer } = { day: '', key: Buffer.alloc(0) }
  const getKey = (day: string): Buffer => {
    if (cached.day !== day) {
      const key = [day, region, 's3', 'aws4_request'].reduce(hmac, Buffer.from(`AWS4${secret}`))
      cached = { day, key }
    }
    return cached.key
  }
  return (method, url, sha256, at) => {
    const time = at.toISOString().replaceAll(/[:-]|\.\d{3}/g, '')
    const day = time.slice(0, 8)
    const scope = `${day}/${region}/s3/aws4_request`
    const sent: Record<string, string> = {
      'x-amz-content-sha256': sha256,
      'x-amz-date': time,
      ...(sessionToken && { 'x-amz-security-token': sessionToken }),
    }
    // SigV4 wants the signed headers in alphabetical order.
    const signed = Object.entries({ host: url.host, ...sent })
    const names = signed.map(([name]) => name).join(';')
    const headers = signed.map(([name, value]) => `${name}:${value}\n`).join('')
    const request = [method, encodePath(url), encodeQuery(url), headers, names, sha256].join('\n')
    const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(request).digest('hex')].join('\n')
    return {
      ...sent,
      authorization: `AWS4-HMAC-SHA256 Credential=${keyId}/${scope}, SignedHeaders=${names}, Signature=${hmac(getKey(day), text).toString('hex')}`,
    }
  }
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const encodePath = ({ pathname }: URL): string => decodeURIComponent(pathname).split('/').map(encodeStrictly).join('/')

const encodeQuery = ({ searchParams }: URL): string =>
  [...searchParams]
    .map((pair) => pair.map(encodeStrictly).join('='))
    .sort()
    .join('&')

/** RFC 3986: also what `encodeURIComponent` leaves alone. */
const encodeStrictly = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)
