import { expect, test } from 'vitest'
import { hashHeader } from './header.ts'

/** Block 1 of Ethereum's main net: the one header whose hash everybody can look up. */
const known = {
  parentHash: '0xd4e56740f876aef8c010b86a40d5f56745a118d0906a34e69aec8c0db1cb8fa3',
  sha3Uncles: '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347',
  miner: '0x05a56e2d52c817161883f50c441c3228cfe54d9f',
  stateRoot: '0xd67e4d450343046425ae4271474353857ab860dbc0a1dde64b41b5cd3a532bf3',
  transactionsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  receiptsRoot: '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421',
  logsBloom: `0x${'0'.repeat(512)}`,
  difficulty: '0x3ff800000',
  number: '0x1',
  gasLimit: '0x1388',
  gasUsed: '0x0',
  timestamp: '0x55ba4224',
  extraData: '0x476574682f76312e302e302f6c696e75782f676f312e342e32',
  mixHash: '0x969b900de27b6ac6a67742365dd65f55a0526c41fd18e1b16f1a1215c2e66f59',
  nonce: '0x539bd4979fef1ec4',
}

test('hashes a header of the main net to its hash', () => {
  expect(hashHeader(known)).toBe('0x88e96d4537bea4d9c05d12549907b32561d3bf31f45aae734cdc119f13406cb6')
})

test('every field is part of the hash', () => {
  const later = { baseFeePerGas: '0x4c4b40', withdrawalsRoot: known.stateRoot, requestsHash: known.stateRoot }
  const header: Record<string, string> = { ...known, ...later }
  const hash = hashHeader(header)
  for (const [name, value] of Object.entries(header)) {
    const last = value.at(-1) === '1' ? '2' : '1'
    expect(hashHeader({ ...header, [name]: `${value.slice(0, -1)}${last}` }), name).not.toBe(hash)
    expect(hashHeader({ ...header, [name]: undefined }), name).not.toBe(hash)
  }
})
