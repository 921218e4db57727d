import { crc32, deflateRawSync } from 'node:zlib'

/** Packs files into a minimal zip archive: no folders, no dates, the same bytes every time. */
export function createZip(files: readonly { name: string; data: Buffer }[]): Buffer {
  const [bodies, entries]: [Buffer[], Buffer[]] = [[], []]
  let offset = 0
  for (const { name, data } of files) {
    const packed = deflateRawSync(data, { level: 9 })
    const common = encodeFields(Buffer.from(name), data, packed)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, Buffer.from(name), packed])
    entries.push(encodeEntry(common, name, offset))
    bodies.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(entries)
  return Buffer.concat([...bodies, directory, encodeEnd(files.length, directory.length, offset)])
}

/** The fields that a local header and its directory entry share: version 2.0, UTF-8 names, deflated, 1 January 1980. */
function encodeFields(name: Buffer, data: Buffer, packed: Buffer): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(0x0800, 2)
  fields.writeUInt16LE(8, 4)
  fields.writeUInt16LE(0x0021, 8)
  fields.writeUInt32LE(crc32(data), 10)
  fields.writeUInt32LE(packed.length, 14)
  fields.writeUInt32LE(data.length, 18)
  fields.writeUInt16LE(name.length, 22)
  return fields
}

/** A regular file that everyone may read. */
function encodeEntry(common: Buffer, name: string, offset: number): Buffer {
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE((0o100644 << 16) >>> 0, 6)
  rest.writeUInt32LE(offset, 10)
  // Made by Unix, so that the mode is used.
  return Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.from([20, 3]), common, rest, Buffer.from(name)])
}

function encodeEnd(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006')
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return end
}
