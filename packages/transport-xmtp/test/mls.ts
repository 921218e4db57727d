/** The key of the installation that a key package is of (RFC 9420, section 10): it signs for the leaf. */
export function installationKeyOf(keyPackage: Uint8Array): Uint8Array {
  const read = reader(keyPackage)
  read.skip(protocolVersion + cipherSuite)
  const [_initKey, _encryptionKey, signatureKey] = [read.vector(), read.vector(), read.vector()]
  return signatureKey
}

/** The group that a message is for, and whether it is a commit (RFC 9420, section 6): both kinds of messages begin alike. */
export function groupIdOf(message: Uint8Array): { groupId: Uint8Array; isCommit: boolean } {
  const read = reader(message)
  read.skip(protocolVersion + wireFormat)
  const groupId = read.vector()
  read.skip(epoch)
  return { groupId, isCommit: read.byte() === commit }
}

const [protocolVersion, cipherSuite, wireFormat, epoch, commit] = [2, 2, 2, 8, 3]

function reader(bytes: Uint8Array) {
  let at = 0
  const byte = () => bytes[at++] ?? 0
  return {
    byte,
    skip(count: number) {
      at += count
    },
    /** Bytes after their length, whose first two bits say how long it is itself. */
    vector(): Uint8Array {
      const first = byte()
      let length = first & 0x3f
      for (let more = (1 << (first >> 6)) - 1; more > 0; more--) length = length * 256 + byte()
      at += length
      return bytes.subarray(at - length, at)
    },
  }
}
