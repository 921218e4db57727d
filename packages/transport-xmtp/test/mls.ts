/** Parses the installation key of a key package: the signature key of its leaf (RFC 9420, section 10). */
export function parseInstallationKey(keyPackage: Uint8Array): Uint8Array {
  const read = reader(keyPackage)
  read.skip(protocolVersion + cipherSuite)
  const [_initKey, _encryptionKey, signatureKey] = [read.vector(), read.vector(), read.vector()]
  return signatureKey
}

/** Parses the group id of a message and whether it is a commit (RFC 9420, section 6). Both kinds of messages start the same. */
export function parseGroupId(message: Uint8Array): { groupId: Uint8Array; isCommit: boolean } {
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
    /** Reads a variable-length vector. The first two bits of its length encode the size of the length. */
    vector(): Uint8Array {
      const first = byte()
      let length = first & 0x3f
      for (let more = (1 << (first >> 6)) - 1; more > 0; more--) length = length * 256 + byte()
      at += length
      return bytes.subarray(at - length, at)
    },
  }
}
