import { connect } from 'node:tls'

const timeoutMs = 10_000

/** Reads when the certificate of a site ends, in unix seconds. An expired or foreign one is read too: that is what is looked for. */
export function readCertificateEnd(siteUrl: string): Promise<number> {
  const { hostname: host, port } = new URL(siteUrl)
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port: Number(port || 443), servername: host, rejectUnauthorized: false }, () => {
      const { valid_to: end } = socket.getPeerCertificate()
      socket.destroy()
      const seconds = Date.parse(end) / 1_000
      if (Number.isFinite(seconds)) resolve(seconds)
      else reject(new Error(`${host} has no certificate.`))
    })
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(`${host} did not answer in ${timeoutMs} ms.`)))
    socket.once('error', reject)
  })
}
