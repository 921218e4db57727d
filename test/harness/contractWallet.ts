import { accounts, type DevnetClient, sendTransaction } from '@svc/devnet'
import {
  type Address,
  concat,
  getCreate2Address,
  type Hex,
  isHex,
  type LocalAccount,
  numberToHex,
  parseEther,
  serializeErc6492Signature,
  size,
} from 'viem'
import { mockWalletCreation } from '../../packages/devnet/src/creations/mocks.ts'

/** The factory that every chain has, and anvil from the start. */
const create2Factory: Address = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

/** A wallet of this owner that the factory would create: the code of the mock, with the owner in its first slot. */
export async function planWallet(client: DevnetClient, owner: Address) {
  const { data: code = '0x' } = await client.call({ data: mockWalletCreation.bytecode })
  // The owner's address is in mixed case, so the signatures are too, as those of some wallets.
  // PUSH20 owner, PUSH0, SSTORE; then PUSH2 length, DUP1, PUSH1 33, PUSH0, CODECOPY, PUSH0, RETURN: the code begins at byte 33.
  const init = concat(['0x73', owner, '0x5f5561', numberToHex(size(code), { size: 2 }), '0x8060215f395ff3', code])
  const salt = numberToHex(1n, { size: 32 })
  return {
    address: getCreate2Address({ from: create2Factory, salt, bytecode: init }),
    factory: { address: create2Factory, data: concat([salt, init]) },
  }
}

/**
 * What a contract wallet answers in the browser. It is on chain from its first transaction; before, its signatures bring the call
 * that creates it (ERC-6492), and after that they are those of its owner (ERC-1271).
 */
export async function createContractWallet(client: DevnetClient, owner: LocalAccount) {
  const { address, factory } = await planWallet(client, owner.address)
  const isDeployed = async () => (await client.getCode({ address })) !== undefined
  const wrap = async (signature: Hex) =>
    (await isDeployed()) ? signature : serializeErc6492Signature({ ...factory, signature })
  const deploy = async () => {
    if (await isDeployed()) return
    await sendTransaction(client, accounts.keeper, { to: factory.address, data: factory.data })
    await client.setBalance({ address, value: parseEther('1') })
    await client.impersonateAccount({ address })
  }
  return {
    address,
    isDeployed,
    /** Answers what needs the owner's key. Undefined: the chain answers. */
    async answer(method: string, params: readonly unknown[]): Promise<Hex | undefined> {
      const [first, second] = params
      if (method === 'personal_sign' && isHex(first)) return wrap(await owner.signMessage({ message: { raw: first } }))
      if (method === 'eth_signTypedData_v4') {
        return wrap(await owner.signTypedData(typeof second === 'string' ? JSON.parse(second) : second))
      }
      if (method === 'eth_sendTransaction') await deploy()
      return undefined
    },
  }
}
